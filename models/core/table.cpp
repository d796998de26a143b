#include "table.hpp"

#include "error.hpp"
#include "quantity_text.hpp"

#include <algorithm>

namespace perfmodel {

double Column::number(std::size_t row) const {
  if (const auto* d = std::get_if<std::vector<double>>(&cells)) return (*d)[row];
  if (const auto* i = std::get_if<std::vector<std::int64_t>>(&cells)) return static_cast<double>((*i)[row]);
  return absent;
}

std::string Column::text(std::size_t row) const {
  if (const auto* d = std::get_if<std::vector<double>>(&cells)) return format_exact((*d)[row]);
  if (const auto* i = std::get_if<std::vector<std::int64_t>>(&cells)) return std::to_string((*i)[row]);
  return std::get<std::vector<std::string>>(cells)[row];
}

const Column* Table::find(std::string_view name) const {
  const auto at =
      std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  return at == columns.end() ? nullptr : &*at;
}

const Column& Table::at(std::string_view name) const {
  if (const Column* column = find(name)) return *column;
  std::string there;
  for (const Column& c : columns) there += (there.empty() ? "" : ", ") + c.name;
  throw InputError("the table '" + title + "' has no column '" + std::string(name) + "'; it has " + there);
}

void append_rows(Table& table, const Table& more) {
  if (table.columns.empty()) {
    table = more;
    return;
  }
  if (table.columns.size() != more.columns.size())
    throw InputError("tables '" + table.title + "' and '" + more.title + "' differ in their columns");
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    Column& to = table.columns[c];
    const Column& from = more.columns[c];
    if (to.name != from.name)
      throw InputError("column '" + to.name + "' of '" + table.title + "' meets '" + from.name + "'");
    if (from.size() == 0) continue;
    if (to.size() == 0) {
      to.cells = from.cells;
      continue;
    }
    if (to.cells.index() != from.cells.index())
      throw InputError("column '" + to.name + "' of '" + table.title + "' holds two kinds of value");
    std::visit(
        [&](auto& cells) {
          const auto& added = std::get<std::remove_reference_t<decltype(cells)>>(from.cells);
          cells.insert(cells.end(), added.begin(), added.end());
        },
        to.cells);
  }
}

} // namespace perfmodel
