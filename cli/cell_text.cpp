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
  // Lectures mix 108.9 kB and 106.4 KiB; whoever reads one should see the other.
  if (!column.is_text() && column.unit.symbol == "B" && column.number(row) >= 1024)
    return format_quantity(column.number(row), column.unit) + " (" +
           format_quantity(column.number(row), column.unit, Prefix::binary) + ")";
  if (!column.is_text())
    return format_quantity(column.number(row), integers || counts_integers(column.name)
                                                   ? as_operations(column.unit)
                                                   : column.unit);
  return printable(column.text(row)); // a kernel's name may hold a line break, or what a terminal obeys
}

} // namespace perfmodel::cli
