#include "format.hpp"

#include "cell_text.hpp"
#include "excerpt/excerpt.hpp"

#include <cmath>

namespace perfmodel::cli {

namespace {
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '_' || c == '`') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}
} // namespace

std::string to_markdown(const Result& result, Shown shown) {
  std::string out = result.title.empty() ? "" : "## " + escaped(result.title) + "\n";
  for (const Table& original : result.tables) {
    const Table table = shown == Shown::excerpt ? excerpt(original) : original;
    const std::vector<bool> integers = integer_rows(table);
    out += (out.empty() ? "### " : "\n### ") + escaped(table.title) + "\n\n|";
    std::string rule = "|";
    for (const Column& column : table.columns) {
      out += " " + escaped(heading(column.name)) + " |";
      rule += column.is_text() ? " :-- |" : " --: |";
    }
    out += "\n" + rule + "\n";
    for (std::size_t row = 0; row < table.rows(); ++row) {
      out += "|";
      for (const Column& column : table.columns) {
        const std::string cell = cell_text(column, row, integers[row]);
        out += " " + (cell == "-" && !column.is_text() ? "" : escaped(cell)) + " |";
      }
      out += "\n";
    }
    for (const std::string& note : table.notes) out += "\n" + escaped(note) + "\n";
  }
  for (const std::string& note : result.notes) out += "\n" + escaped(note) + "\n";
  return out;
}

} // namespace perfmodel::cli
