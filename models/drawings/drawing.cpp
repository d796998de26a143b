#include "drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace perfmodel {

namespace {

// The name that stands at the middle of a cell, or nothing.
std::string name_at(const std::vector<Drawing::Name>& names, double at) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const Drawing::Name& n) { return std::fabs(n.at - at) < 0.01; });
  return found == names.end() ? "" : found->text;
}

} // namespace

Result as_result(const Drawing& d) {
  Table table{.title = d.name, .columns = {}, .notes = {}};
  Column row{.name = "row", .unit = {}, .role = Role::key, .cells = std::vector<std::string>{}};
  Column from{
      .name = d.across.empty() ? "column" : "from", .unit = d.across_unit, .role = Role::key, .cells = {}};
  Column to{.name = "to", .unit = d.across_unit, .role = Role::predicted, .cells = {}};
  Column text{.name = "shows", .unit = {}, .role = Role::note, .cells = std::vector<std::string>{}};
  Column kind{.name = "kind", .unit = {}, .role = Role::note, .cells = std::vector<std::string>{}};
  Column means{.name = "means", .unit = {}, .role = Role::note, .cells = std::vector<std::string>{}};
  for (const Drawing::Cell& cell : d.cells) {
    append(row, name_at(d.rows, cell.top + cell.height / 2));
    append(from, cell.left);
    append(to, cell.open ? absent : cell.left + cell.width);
    append(text, cell.text);
    append(kind, d.kinds[cell.kind].name);
    append(means, cell.title);
  }
  table.columns = {std::move(row),  std::move(from), std::move(to),
                   std::move(text), std::move(kind), std::move(means)};
  if (d.across.empty()) table.columns.erase(table.columns.begin() + 2);
  Result result;
  result.model = d.model, result.title = d.title, result.verdict = d.verdict;
  result.tables.push_back(std::move(table));
  return result;
}

} // namespace perfmodel
