#include "written.hpp"

#include "cli/cell_text.hpp"
#include "cli/format.hpp"
#include "cli/text_layout.hpp"
#include "hwdb/result_file.hpp"
#include "models/core/utf8.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace perfmodel::cli {

namespace {

void add_block(std::string& csv, const Table& head, const Spool& rows, std::size_t spooled,
               std::size_t block) {
  Table table;
  std::size_t of_rows = 0;
  for (std::size_t c = 0; c < head.columns.size(); ++c) {
    Cells cells = rows.cells(spooled, c, block);
    of_rows = cells.rows;
    table.columns.push_back(std::move(cells.column));
  }
  add_csv_rows(csv, table, of_rows);
}

// JSON of one column: to_json sets a list of a few numbers on one line.
void write_cells(const Spool& rows, std::size_t spooled, std::size_t column, std::size_t of_rows,
                 const std::string& margin, const hwdb::Write& write) {
  constexpr std::size_t few = 16;
  const bool one_line = of_rows <= few && !rows.cells(spooled, column, 0).column.is_text();
  for (std::size_t block = 0; block < rows.blocks(spooled); ++block) {
    const std::string lead = one_line ? " " : "\n" + margin + " ";
    const Cells cells = rows.cells(spooled, column, block);
    const std::string json = hwdb::json_cells(cells.column, cells.rows, lead);
    write(block == 0 ? "[" : ",");
    write(std::string_view(json).substr(one_line && block == 0 ? 1 : 0));
  }
  write(one_line ? "]" : "\n" + margin + "]");
}

// Of the columns that the result's table has, those that `shown` has.
void lay_out_rows(const Table& table, const Table& shown, const Spool& rows, std::size_t spooled,
                  std::size_t columns, const hwdb::Write& write) {
  const auto each_block = [&](const Visit& visit) {
    for (std::size_t block = 0; block < rows.blocks(spooled); ++block) {
      Table all, some;
      std::size_t size = 0;
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        Cells cells = rows.cells(spooled, c, block);
        size = cells.rows;
        all.columns.push_back(std::move(cells.column));
      }
      const std::vector<bool> integers = integer_rows(all, size);
      for (Column& column : all.columns)
        if (shown.find(column.name) != nullptr) some.columns.push_back(std::move(column));
      visit({some, size, integers});
    }
  };
  lay_out(each_block, columns, 2, [&](std::string_view piece) { write(printable_lines(piece)); });
}

} // namespace

void write_text(const Result& result, std::size_t columns, const Spool& rows, const hwdb::Write& write) {
  std::size_t spooled = 0;
  write_text(result, columns, Shown::all, write, [&](const Table& table, const Table& shown) {
    lay_out_rows(table, shown, rows, spooled++, columns, write);
  });
}

void write_csv(const Result& result, const Spool& rows, const hwdb::Write& write) {
  std::size_t spooled = 0;
  for (const Table& table : result.tables) {
    std::string out;
    add_csv_head(out, result, table);
    if (table.of_rows == 0) add_csv_rows(out, table, table.rows());
    write(out);
    if (table.of_rows == 0) continue;
    for (std::size_t block = 0; block < rows.blocks(spooled); ++block) {
      out.clear();
      add_block(out, table, rows, spooled, block);
      write(out);
    }
    ++spooled;
  }
}

// The document of the tables' heads has an empty list wherever cells are missing, and nowhere else: a sweep's
// other tables have rows, and quotes within a text of JSON follow a backslash.
void write_json(const Record& record, const Spool& rows, const hwdb::Write& write) {
  static constexpr std::string_view name = "\"values\": ", no_values = "\"values\": []";
  const std::string document = hwdb::to_json(record);
  std::size_t done = 0, spooled = 0;
  for (const Table& table : record.result.tables) {
    if (table.of_rows == 0) continue;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const std::size_t at = document.find(no_values, done);
      if (at == std::string::npos) throw std::logic_error("a column is missing in the head of an answer");
      const std::size_t line = document.rfind('\n', at) + 1;
      write(std::string_view(document).substr(done, at + name.size() - done));
      write_cells(rows, spooled, c, table.of_rows, std::string(at - line, ' '), write);
      done = at + no_values.size();
    }
    ++spooled;
  }
  write(std::string_view(document).substr(done));
}

} // namespace perfmodel::cli
