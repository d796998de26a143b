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

} // namespace

void draw_what_has_numbers(Result& result) {
  for (const Table& table : result.tables) {
    const Column* drawn = table.find(result.chart.y);
    if (drawn == nullptr) continue;
    if (drawn->is_text() || drawn->unit.symbol.empty() || has_number(*drawn)) return;
    const auto other = std::find_if(table.columns.begin(), table.columns.end(), [&](const Column& column) {
      return column.role != Role::key && !column.is_text() && column.unit.symbol == drawn->unit.symbol &&
             has_number(column);
    });
    if (other != table.columns.end()) result.chart.y = other->name;
    return;
  }
}

} // namespace perfmodel::cli
