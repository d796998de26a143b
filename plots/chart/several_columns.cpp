#include "several_columns.hpp"

#include "sweep_series.hpp"

#include "models/core/chart_choice.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace perfmodel::plots {

namespace {

constexpr const char* told_apart_by = "quantity";

// The columns of those names, in the order in which they were asked for.
std::vector<const Column*> found_in(const Table& table, const std::vector<std::string>& names) {
  std::vector<const Column*> columns;
  for (const std::string& name : names)
    if (const Column* column = table.find(name)) columns.push_back(column);
  return columns;
}

void check_units(const std::vector<const Column*>& columns) {
  const Column& first = *columns.front();
  for (const Column* column : columns) {
    if (column->is_text()) throw InputError("the column '" + column->name + "' is text: y must be a number");
    if (column->unit.symbol == first.unit.symbol) continue;
    const auto unit = [](const Column& c) { return c.unit.symbol.empty() ? "no unit" : c.unit.symbol; };
    throw InputError(fmt::format("{} has {} and {} has {}: one axis shows one unit", first.name, unit(first),
                                 column->name, unit(*column)));
  }
}

// The same cells once for each of the columns.
void repeat(Column& column, std::size_t times) {
  std::visit(
      [&](auto& cells) {
        const std::size_t once = cells.size();
        cells.reserve(once * times);
        for (std::size_t i = 1; i < times; ++i) std::copy_n(cells.begin(), once, std::back_inserter(cells));
      },
      column.cells);
}

Table as_rows(const Table& table, const std::vector<const Column*>& columns) {
  Table rows{.title = table.title, .notes = table.notes};
  Column which{.name = told_apart_by, .role = Role::key, .cells = std::vector<std::string>{}};
  Column value{.unit = columns.front()->unit, .role = columns.front()->role, .cells = std::vector<double>{}};
  for (const Column* column : columns) {
    value.name += (value.name.empty() ? "" : ", ") + column->name;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      append(which, readable(column->name));
      append(value, column->number(row));
    }
  }
  for (const Column& column : table.columns) {
    if (std::find(columns.begin(), columns.end(), &column) != columns.end()) continue;
    const bool interval = column.role == Role::low || column.role == Role::high; // of one column
    if (interval && columns.size() > 1) continue;
    repeat(rows.columns.emplace_back(column), columns.size());
  }
  rows.columns.push_back(std::move(which));
  rows.columns.push_back(std::move(value));
  // A row that has its number in another of the columns lacks none.
  const std::size_t once = table.rows();
  return rows_where(rows, [&](std::size_t row) {
    const bool none = std::none_of(columns.begin(), columns.end(), [&](const Column* column) {
      return std::isfinite(column->number(row % once));
    });
    return std::isfinite(rows.columns.back().number(row)) || (none && row < once);
  });
}

} // namespace

bool names_several_columns(const ChartChoice& choice) { return choice.y.find(',') != choice.y.npos; }

Result columns_as_rows(Result result, const ChartChoice& choice) {
  const std::vector<std::string> names = columns_named(choice.y);
  result.chart = choice;
  result.chart.y.clear();
  for (const std::string& name : names) result.chart.y += (result.chart.y.empty() ? "" : ", ") + name;
  result.chart.series = told_apart_by;
  for (Table& table : result.tables) {
    const std::vector<const Column*> columns = found_in(table, names);
    if (columns.empty() || table.find(choice.x) == nullptr) continue;
    check_units(columns);
    table = as_rows(table, columns);
    table.columns.back().name = result.chart.y;
    break;
  }
  return result;
}

} // namespace perfmodel::plots
