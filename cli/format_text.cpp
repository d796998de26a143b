#include "format.hpp"

#include "constants_text.hpp"
#include "folded.hpp"
#include "text_layout.hpp"
#include "text_lines.hpp"

#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::cli {

namespace {

std::string origin(const Step& step) {
  if (!step.is_fact) return step.source;
  if (step.grade != Grade::known)
    return fmt::format("{}, {} to {}: {}", name_of(step.grade), format_quantity(step.low, step.unit),
                       format_quantity(step.high, step.unit), step.source);
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
    const std::string equals = lead.substr(0, lead.size() - 2) + "= ";
    std::string start = "  " + padded(s.symbol, symbol) + " = ";
    // The first line of a long name's formula is as wide as those below it: has it room beside the name?
    if (width_of(start) > lead.size() &&
        width_of(start) + width_of(wrapped(text, columns - lead.size()).front()) > columns) {
      out += "  " + s.symbol + "\n";
      start = equals;
    }
    add(start, text);
    if (!s.formula.empty()) {
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

// Notes and sources hold names as well.
void write_text(const Result& result, std::size_t columns, Shown shown, const hwdb::Write& write,
                const WriteRows& write_rows) {
  std::string out;
  const auto flush = [&] {
    write(printable_lines(out));
    out.clear();
  };
  const auto paragraph = [&](std::string_view text, std::size_t indent = 0) {
    for (const std::string& line : wrapped(text, columns - indent))
      out += std::string(indent, ' ') + line + "\n";
  };
  for (const std::string& verdict : result.verdict) paragraph(verdict);
  if (!result.verdict.empty()) out += "\n";
  if (!result.title.empty()) {
    paragraph(result.title);
    out += "\n";
  }
  for (const Table& all : result.tables) {
    const Folded f = folded(all, fold_of(result), shown);
    paragraph(f.heading);
    if (!f.same.empty()) paragraph(f.same, 2);
    flush();
    if (all.of_rows > 0 && shown == Shown::all && write_rows)
      write_rows(all, f.table);
    else
      out += layout(f.table, columns, 2, f.integers);
    for (const std::string& advice : f.advice) paragraph(advice, 2);
    for (const std::string& note : f.table.notes) paragraph(note, 2);
    out += "\n";
  }
  for (const Derivation& derivation : result.derivations) out += derivation_text(derivation, columns) + "\n";
  for (const std::string& note : result.notes) paragraph(note);
  out += constants_text(result, columns);
  if (!reading_of(result).empty()) paragraph(reading_of(result));
  flush();
}

std::string to_text(const Result& result, std::size_t columns, Shown shown) {
  std::string text;
  write_text(result, columns, shown, [&](std::string_view piece) { text += piece; }, {});
  return text;
}

} // namespace perfmodel::cli
