#include "numbers_drawn.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::cli {

namespace {

bool has_number(const Column& column) {
  for (std::size_t row = 0; row < column.size(); ++row)
    if (std::isfinite(column.number(row))) return true;
  return false;
}

// Whether the other column has a number in each row in which this one has none, and in no other.
bool has_the_rest(const Column& column, const Column& other) {
  if (other.is_text() || other.unit.symbol != column.unit.symbol) return false;
  for (std::size_t row = 0; row < column.size(); ++row)
    if (std::isfinite(column.number(row)) == std::isfinite(other.number(row))) return false;
  return true;
}

} // namespace

void draw_what_has_numbers(Result& result) {
  for (const Table& table : result.tables) {
    const Column* drawn = table.find(result.chart.y);
    if (drawn == nullptr) continue;
    if (drawn->is_text() || drawn->unit.symbol.empty()) return;
    if (has_number(*drawn)) {
      if (result.chart.kind != ChartKind::bars) return;
      const auto rest = std::find_if(table.columns.begin(), table.columns.end(), [&](const Column& column) {
        return column.role != Role::key && has_the_rest(*drawn, column);
      });
      if (rest != table.columns.end()) result.chart.y += "," + rest->name;
      return;
    }
    const auto other = std::find_if(table.columns.begin(), table.columns.end(), [&](const Column& column) {
      return column.role != Role::key && !column.is_text() && column.unit.symbol == drawn->unit.symbol &&
             has_number(column);
    });
    if (other != table.columns.end()) result.chart.y = other->name;
    return;
  }
}

} // namespace perfmodel::cli
