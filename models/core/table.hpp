// What every model predicts, every probe measures, every published series holds: typed columns of equal
// length.
#pragma once

#include "units.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace perfmodel {

// key: an input of the model, by which tables are joined. low and high: an interval around the measured
// column, or the band of a predicted one.
enum class Role { key, predicted, measured, low, high, note };
inline constexpr std::string_view role_names[] = {"key", "predicted", "measured", "low", "high", "note"};
constexpr std::string_view name_of(Role role) { return role_names[static_cast<int>(role)]; }

inline constexpr double absent = std::numeric_limits<double>::quiet_NaN();

// Numbers are in base units; an absent number is NaN, an absent text "".
struct Column {
  std::string name;
  Unit unit;
  Role role = Role::predicted;
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>> cells;

  std::size_t size() const {
    return std::visit([](const auto& v) { return v.size(); }, cells);
  }
  bool is_text() const { return std::holds_alternative<std::vector<std::string>>(cells); }
  double number(std::size_t row) const;    // NaN for a text cell
  std::string text(std::size_t row) const; // numbers in their shortest exact form
};

struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::string> notes;
  // Of a table that is not held (row_sink.hpp): how many rows it has. The columns then have none, or those to
  // be shown. 0 where all rows are here.
  std::size_t of_rows = 0;

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  const Column* find(std::string_view name) const; // nullptr when absent
  const Column& at(std::string_view name) const;   // throws InputError naming the columns there are
};

// Appends a value to a column, which takes the type of its first value.
template <class T> void append(Column& column, T value) {
  using Cell = std::conditional_t<std::is_floating_point_v<T>, double,
                                  std::conditional_t<std::is_integral_v<T>, std::int64_t, std::string>>;
  if (column.size() == 0 && !std::holds_alternative<std::vector<Cell>>(column.cells))
    column.cells.template emplace<std::vector<Cell>>();
  std::get<std::vector<Cell>>(column.cells).push_back(static_cast<Cell>(std::move(value)));
}

// The rows for which `keep(row)` holds.
template <class Keep> Table rows_where(const Table& table, Keep keep) {
  Table kept = table;
  for (Column& column : kept.columns)
    std::visit(
        [&](auto& cells) {
          std::size_t to = 0;
          for (std::size_t row = 0; row < cells.size(); ++row)
            if (keep(row)) cells[to++] = cells[row];
          cells.resize(to);
        },
        column.cells);
  return kept;
}

// Appends the rows of `more`, whose columns must have the same names. Throws InputError.
void append_rows(Table& table, const Table& more);

} // namespace perfmodel
