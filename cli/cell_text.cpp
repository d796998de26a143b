#include "cell_text.hpp"

#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/utf8.hpp"

namespace perfmodel::cli {

std::string heading(std::string_view name) { return spaced(printable(name)); }

std::vector<bool> integer_rows(const Table& table) { return integer_rows(table, table.rows()); }

std::vector<bool> integer_rows(const Table& table, std::size_t size) {
  std::vector<bool> rows(size, false);
  for (const Column& column : table.columns)
    if (column.role == Role::key && column.is_text() &&
        (column.name == "precision" || column.name == "ceiling"))
      for (std::size_t row = 0; row < rows.size(); ++row)
        if (counts_integers(column.text(column.size() == 1 ? 0 : row))) rows[row] = true;
  return rows;
}

std::string cell_text(const Column& column, std::size_t row, bool integers) {
  if (column.is_text())
    return printable(column.text(row)); // it may hold a line break, or what a terminal obeys
  const double number = column.number(row);
  // Lectures mix 108.9 kB and 106.4 KiB; whoever reads one should see the other.
  if (number >= 1024 && std::string_view(column.unit.symbol) == "B")
    return format_quantity(number, column.unit) + " (" +
           format_quantity(number, column.unit, Prefix::binary) + ")";
  if (integers || counts_integers(column.name)) return format_quantity(number, as_operations(column.unit));
  return format_quantity(number, column.unit);
}

namespace {

// Whether the head's last word says what is counted: "resident threads" of threads.
bool head_says_unit(const Column& column) {
  const std::string head = heading(column.name), &unit = column.unit.symbol;
  return !unit.empty() && head.ends_with(unit) &&
         (head.size() == unit.size() || head[head.size() - unit.size() - 1] == ' ');
}

} // namespace

std::string text_under_head(const Column& column, std::size_t row, bool integers) {
  std::string text = cell_text(column, row, integers);
  if (!column.is_text() && head_says_unit(column) && text.ends_with(" " + column.unit.symbol))
    text.resize(text.size() - column.unit.symbol.size() - 1);
  return text;
}

} // namespace perfmodel::cli
