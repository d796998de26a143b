#include "ledger.hpp"

#include "models/core/statistics.hpp"
#include "models/validation/model_error.hpp"
#include "models/validation/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace perfmodel {

namespace {

std::vector<double> sizes_of(const std::vector<double>& errors) {
  std::vector<double> sizes;
  for (const double e : errors) sizes.push_back(std::fabs(e));
  return sizes;
}

void add_columns(Table& table, Role role, std::initializer_list<const char*> names, const char* unit,
                 const decltype(Column::cells)& cells) {
  for (const char* name : names)
    table.columns.push_back({.name = name, .unit = {unit, {}}, .role = role, .cells = cells});
}

Table ledger_table(Evidence evidence, const std::map<Ledger::OfModel, Ledger::Line>& lines) {
  Table table{.title = fmt::format("{}{}", ledger_title, name_of(evidence))};
  add_columns(table, Role::key, {"model", "quantity"}, "", std::vector<std::string>{});
  const bool is_scored = evidence != Evidence::calibration;
  if (is_scored) {
    add_columns(table, Role::note, {"scored", "at_least", "out"}, "", std::vector<std::int64_t>{});
    add_columns(table, Role::note, {"mean_error", "worst_error", "tolerance"}, "fraction",
                std::vector<double>{});
  } else {
    add_columns(table, Role::note, {"rows"}, "", std::vector<std::int64_t>{});
  }
  for (const auto& [of, line] : lines) {
    append(table.columns[0], of.first);
    append(table.columns[1], of.second);
    if (!is_scored) {
      append(table.columns[2], line.rows);
      continue;
    }
    const std::vector<double> sizes = sizes_of(line.errors);
    append(table.columns[2], line.errors.size());
    append(table.columns[3], line.at_least);
    append(table.columns[4], line.out);
    append(table.columns[5], mean(sizes));
    append(table.columns[6], largest_magnitude(sizes));
    append(table.columns[7], sizes.empty() ? absent : line.tolerance);
  }
  return table;
}

// How each class fared.
Table evidence_table(const Ledger& ledger) {
  Table table{.title = std::string(evidence_title)};
  add_columns(table, Role::key, {"evidence"}, "", std::vector<std::string>{});
  add_columns(table, Role::note, {"rows", "scored", "out"}, "", std::vector<std::int64_t>{});
  add_columns(table, Role::note, {"mean_error", "worst_error"}, "fraction", std::vector<double>{});
  for (const auto& [evidence, lines] : ledger.lines) {
    Ledger::Line sum;
    for (const auto& [of, line] : lines) {
      sum.errors.insert(sum.errors.end(), line.errors.begin(), line.errors.end());
      sum.out += line.out, sum.at_least += line.at_least, sum.rows += line.rows;
    }
    const std::vector<double> sizes = sizes_of(sum.errors);
    const std::size_t scored = sum.errors.size() + sum.at_least;
    append(table.columns[0], std::string(name_of(evidence)));
    append(table.columns[1], scored + sum.rows);
    append(table.columns[2], scored);
    append(table.columns[3], sum.out);
    append(table.columns[4], mean(sizes));
    append(table.columns[5], largest_magnitude(sizes));
  }
  table.notes.push_back(
      "blind: nothing in the model was chosen with the row in view; in-sample: the model's form or a "
      "constant "
      "was; semi-circular: it rests on a constant found by moving the same data in the same way as the "
      "kernel, or worked out of the kernel's own machine code; calibration: on one that its own probe found "
      "or that was fitted to it, so that it is not scored.");
  return table;
}

} // namespace

std::vector<Table> tables_of(const Ledger& ledger, const std::string& gpu,
                             std::span<const GpuErrors> elsewhere) {
  std::vector<Table> tables;
  if (!ledger.lines.empty()) tables.push_back(evidence_table(ledger));
  for (const auto& [evidence, lines] : ledger.lines) tables.push_back(ledger_table(evidence, lines));
  if (Table error = model_error_table(ledger, gpu, elsewhere); error.rows() > 0)
    tables.push_back(std::move(error));
  return tables;
}

std::string which_are_out(const Ledger& ledger) {
  constexpr std::size_t most_said = 4;
  struct Out {
    std::string of;
    std::size_t out = 0, scored = 0;
  };
  std::vector<Out> all;
  for (const auto& [evidence, lines] : ledger.lines)
    for (const auto& [of, line] : lines) {
      const std::string name = of.first + " " + of.second;
      auto at = std::find_if(all.begin(), all.end(), [&](const Out& o) { return o.of == name; });
      if (at == all.end()) at = all.insert(all.end(), Out{.of = name});
      at->out += line.out, at->scored += line.errors.size() + line.at_least;
    }
  std::erase_if(all, [](const Out& o) { return o.out == 0; });
  if (all.empty()) return "";
  std::stable_sort(all.begin(), all.end(), [](const Out& a, const Out& b) { return a.out > b.out; });
  std::string text = " Out of tolerance: ";
  for (std::size_t i = 0; i < std::min(all.size(), most_said); ++i)
    text += fmt::format("{}{} ({} of {}{})", i == 0 ? "" : ", ", all[i].of, all[i].out, all[i].scored,
                        i == 0 ? " rows" : "");
  return text + (all.size() > most_said ? fmt::format(" and {} more.", all.size() - most_said) : ".");
}

} // namespace perfmodel
