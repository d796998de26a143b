#include "format.hpp"

#include "cell_text.hpp"
#include "constants_text.hpp"
#include "excerpt/excerpt.hpp"
#include "text_layout.hpp"
#include "text_lines.hpp"

#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::cli {

namespace {

bool constant_text(const Column& column) {
  if (column.role != Role::key || column.size() == 0) return false;
  for (std::size_t row = 1; row < column.size(); ++row)
    if (column.text(row) != column.text(0)) return false;
  return true;
}

// Keys that are the same in every row of `all` move into the heading, "compute ceilings (gpu m2090)", and out
// of the rows that are shown: what a few of them have in common need not hold of all.
std::string folded_heading(const Table& all, Table& shown) {
  std::string keys;
  for (const Column& column : all.columns) {
    const bool about_device = column.name == "gpu" || find_key(column.name) != nullptr;
    if (!constant_text(column) || !(about_device || all.rows() > 1)) continue;
    std::erase_if(shown.columns, [&](const Column& c) { return c.name == column.name; });
    const std::string value = cell_text(column, 0);
    if (value.empty() || value == "-") continue; // absent
    keys += (keys.empty() ? "" : ", ") + (column.name == "gpu" ? value : heading(column.name) + " " + value);
  }
  return all.title + (keys.empty() ? "" : " (" + keys + ")");
}

std::string origin(const Step& step) {
  if (!step.is_fact) return step.source;
  std::string text =
      step.layer == Layer::set ? "--set" : fmt::format("{}: {}", name_of(step.status), step.source);
  if (step.layer != Layer::set) text += " [" + step.place + "]";
  return text;
}

// "peak.int8"; the steps between are the formula's, which counts flop.
Unit unit_of_step(const Step& s) { return counts_integers(s.symbol) ? as_operations(s.unit) : s.unit; }

std::string derivation_text(const Derivation& derivation, std::size_t columns) {
  std::string out = "how, for " + derivation.title + "\n";
  std::size_t symbol = 0;
  for (const Step& s : derivation.steps) symbol = std::max(symbol, width_of(s.symbol));
  symbol = std::min<std::size_t>(symbol, 28);
  for (const Step& s : derivation.steps) {
    const std::string value = s.text.empty() ? format_quantity(s.value, unit_of_step(s)) : s.text;
    const std::string binary = s.unit.symbol == "B" && s.value >= 1024
                                   ? " (" + format_quantity(s.value, s.unit, Prefix::binary) + ")"
                                   : "";
    const std::string lead(2 + symbol + 3, ' ');
    std::string text = s.formula.empty() ? value + binary : s.formula;
    if (s.formula.empty() && !s.meaning.empty() && s.meaning != "given") text += "   " + s.meaning;
    const auto add = [&](const std::string& start, const std::string& body) {
      std::string line = start;
      for (const std::string& piece : wrapped(body, columns - lead.size())) {
        out += line + piece + "\n";
        line = lead;
      }
    };
    add("  " + padded(s.symbol, symbol) + " = ", text);
    if (!s.formula.empty()) {
      const std::string equals = lead.substr(0, lead.size() - 2) + "= ";
      if (s.numbers != value) add(equals, s.numbers);
      add(equals, value + binary + "   " + s.meaning);
    } else if (!s.source.empty()) {
      add(lead, origin(s));
    }
  }
  return out;
}

std::string_view reading_of(const Result& result) {
  for (const Model& m : models())
    if (m.info.name == result.model) return m.info.reading;
  return "";
}

} // namespace

std::string to_text(const Result& result, std::size_t columns, Shown shown) {
  std::string out;
  const auto paragraph = [&](std::string_view text, std::size_t indent = 0) {
    for (const std::string& line : wrapped(text, columns - indent))
      out += std::string(indent, ' ') + line + "\n";
  };
  if (!result.title.empty()) {
    paragraph(result.title);
    out += "\n";
  }
  for (const Table& all : result.tables) {
    Table table = shown == Shown::excerpt ? excerpt(all) : all;
    const std::vector<bool> integers = integer_rows(table);
    paragraph(folded_heading(all, table));
    out += layout(table, columns, 2, integers);
    for (const std::string& note : table.notes) paragraph(note, 2);
    out += "\n";
  }
  for (const Derivation& derivation : result.derivations) out += derivation_text(derivation, columns) + "\n";
  for (const std::string& note : result.notes) paragraph(note);
  out += constants_text(result, columns);
  if (!reading_of(result).empty()) paragraph(reading_of(result));
  return out;
}

} // namespace perfmodel::cli
