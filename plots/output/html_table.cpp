#include "html.hpp"
#include "plots/chart/sweep_series.hpp"
#include "plots/layout/utf8.hpp"

#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace perfmodel::plots {

namespace {
constexpr std::size_t most_rows = 2000;  // more and the page is slow to scroll
constexpr std::size_t most_at_sight = 8; // more fill several screens of a phone, where each row is a card

std::string text_of(const Column& column, std::size_t row) {
  return column.is_text() ? column.text(row) : format_quantity(column.number(row), column.unit);
}
std::string cell(const Column& column, std::size_t row) {
  return (column.is_text() ? "<td>" : "<td class=\"number\">") + escape_xml(text_of(column, row)) + "</td>";
}

// Beside many columns sentences would stand a word to a line: they keep a width, and the table scrolls.
const char* class_of_head(const Column& column, std::size_t rows) {
  constexpr std::size_t sentence = 40; // characters
  if (!column.is_text()) return " class=\"number\"";
  for (std::size_t row = 0; row < std::min(rows, column.size()); ++row)
    if (column.text(row).size() > sentence) return " class=\"words\"";
  return "";
}

bool is_same(const Column& column, std::size_t a, std::size_t b) {
  if (column.is_text()) return column.text(a) == column.text(b);
  const double one = column.number(a), other = column.number(b);
  return one == other || (std::isnan(one) && std::isnan(other));
}

// In each of several rows; a column of one cell has it in all of them.
bool is_constant(const Column& column, std::size_t rows) {
  if (rows < 2 || column.size() == 0) return false;
  for (std::size_t row = 1; row < column.size(); ++row)
    if (!is_same(column, 0, row)) return false;
  return column.size() == 1 || column.size() == rows;
}

// What is the same in every row is said once, above the rows.
struct Shown {
  std::vector<const Column*> columns;
  std::string same; // "in every row: GPU h200, path global"; or ""
};
Shown shown_of(const Table& table) {
  Shown all;
  for (const Column& column : table.columns) {
    if (!is_constant(column, table.rows())) {
      all.columns.push_back(&column);
      continue;
    }
    const std::string text = text_of(column, 0);
    if (!text.empty() && text != "-")
      all.same += (all.same.empty() ? "in every row: " : ", ") + readable(column.name) + " " + text;
  }
  if (all.columns.empty())
    for (const Column& column : table.columns) all.columns.push_back(&column), all.same.clear();
  return all;
}
// Of a name that comes from a file or a command line nothing is CSS, or ends it.
std::string css_text(const std::string& name) {
  std::string out;
  for (const char c : name)
    if (c == '"' || c == '\\' || c == '<' || static_cast<unsigned char>(c) < ' ')
      out += fmt::format("\\{:x} ", static_cast<unsigned char>(c));
    else
      out += c;
  return out;
}

// The names of the columns, once for all rows.
std::string names_of_cells(const std::vector<const Column*>& columns, std::size_t number) {
  std::string out = "<style>@media (max-width: 600px) {";
  for (std::size_t c = 0; c < columns.size(); ++c)
    out += fmt::format("#t{} td:nth-child({})::before {{ content: \"{}\"; }}", number, c + 1,
                       css_text(readable(columns[c]->name)));
  return out + "}</style>\n";
}
} // namespace

std::string html_table(const Table& table, std::string_view kind, std::size_t number) {
  const std::size_t shown = std::min(table.rows(), most_rows);
  const Shown what = shown_of(table);
  const bool is_long = shown > most_at_sight;
  std::string out = names_of_cells(what.columns, number);
  if (is_long)
    out += fmt::format("<details class=\"rows\" open><summary>{} rows: {}</summary>\n", table.rows(),
                       escape_xml(table.title));
  out += fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table id=\"t{1}\">\n"
      "<caption><div>{0} ({2}){3}</div></caption>\n<thead><tr>",
      escape_xml(table.title), number, kind,
      what.same.empty() ? "" : "<span>" + escape_xml(what.same) + "</span>");
  for (const Column* c : what.columns)
    out += fmt::format("<th{}>{}</th>", class_of_head(*c, shown), escape_xml(readable(c->name)));
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t row = 0; row < shown; ++row) {
    out += "<tr>";
    for (const Column* c : what.columns) out += row < c->size() ? cell(*c, row) : "<td></td>";
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  if (shown < table.rows())
    out += fmt::format("<p>{} more rows: write them with -o FILE.csv.</p>\n", table.rows() - shown);
  if (is_long) out += "</details>\n";
  for (const std::string& note : table.notes) out += "<p>" + escape_xml(note) + "</p>\n";
  return out;
}

} // namespace perfmodel::plots
