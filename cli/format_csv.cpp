#include "format.hpp"

#include "models/core/utf8.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace perfmodel::cli {

namespace {

// Spreadsheets take a cell that begins so for a formula and run it; an apostrophe before it says that it is
// text (OWASP, CSV injection). A number, and a lone sign, stay what they are.
bool is_formula(std::string_view text) {
  // Some trim what cannot be seen, and take the full-width forms of East Asian text for the others.
  constexpr std::string_view unseen[] = {" ", "\n", "\u00A0", "\u200B", "\u2060", "\uFEFF"};
  for (bool trimmed = true; trimmed;) {
    trimmed = false;
    for (const std::string_view space : unseen)
      if (text.substr(0, space.size()) == space) text.remove_prefix(space.size()), trimmed = true;
  }
  for (const std::string_view wide : {"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"})
    if (text.substr(0, wide.size()) == wide) return true;
  constexpr std::size_t first = 0;
  if (text.empty() || std::string_view("=+-@").find(text.front()) == std::string_view::npos) return false;
  const bool sign = text[first] == '+' || text[first] == '-';
  return !sign || text.find_first_not_of("0123456789.eE+-", first) != text.npos;
}

// Nearly every cell of nearly every sweep: it goes out as it is.
bool is_plain(std::string_view text) {
  if (!text.empty() && std::string_view(" =+-@").find(text.front()) != std::string_view::npos) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c >= 0x20 && c < 0x7F && c != ',' && c != ';' && c != '"' && c != '#';
  });
}

enum class Blanks { hide_formulas, do_not }; // whether "; =1+1" is prose

// The text with an apostrophe wherever a spreadsheet that parts cells at any of `separators` would find a
// formula behind one of them.
std::string without_formulas(std::string_view text, std::string_view separators, Blanks blanks) {
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    const std::string_view cell = text.substr(at, end - at);
    const std::size_t first = std::min(cell.find_first_not_of(' '), cell.size());
    const bool prose = blanks == Blanks::hide_formulas && first > 0;
    if (at > 0) out += text[at - 1];
    out += cell.substr(0, first);
    if (at > 0 && !prose && is_formula(cell)) out += '\'';
    out += cell.substr(first);
    at = end + 1;
  }
  return out;
}

// A cell that is not plain: printable, no formula, not even where ';' parts cells, and in quotes where RFC
// 4180 wants them, or where a reader that skips comments would take the rest for one. Line feeds stay, and so
// does a sentence that goes on behind "; -X", for data are read back.
void add_text(std::string& out, const std::string& cell) {
  std::string text = without_formulas(printable_lines(cell), ";\n", Blanks::hide_formulas);
  if (is_formula(text)) text.insert(0, "'");
  if (text.find_first_of(",\"\n#") == text.npos) {
    out += text;
    return;
  }
  if (text.find('"') == text.npos) {
    out.append(1, '"').append(text).append(1, '"');
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

// A line of the verdict, or the title above a table when there are several. A spreadsheet cuts it at its
// commas, or at its semicolons.
std::string comment_line(const std::string& text) {
  return "# " + without_formulas(printable(text), ",;", Blanks::do_not) + "\n";
}

// One column being written. Sweeps are long and many of their columns stand still, so a cell that repeats the
// one above is not turned into text again.
class Writer {
public:
  explicit Writer(const Column& column)
      : doubles_(std::get_if<std::vector<double>>(&column.cells)),
        integers_(std::get_if<std::vector<std::int64_t>>(&column.cells)),
        texts_(std::get_if<std::vector<std::string>>(&column.cells)), cells_(column.size()) {}

  void add(std::string& out, std::size_t row) {
    if (row < cells_ && (row == 0 || !repeats(row))) last_ = text(row);
    out += last_;
  }

private:
  bool repeats(std::size_t row) const {
    if (texts_ != nullptr) return (*texts_)[row] == (*texts_)[row - 1];
    if (integers_ != nullptr) return (*integers_)[row] == (*integers_)[row - 1];
    const double now = (*doubles_)[row], above = (*doubles_)[row - 1];
    return (now == above && std::signbit(now) == std::signbit(above)) ||
           (std::isnan(now) && std::isnan(above));
  }
  std::string_view text(std::size_t row) {
    if (texts_ != nullptr) {
      const std::string& cell = (*texts_)[row];
      if (is_plain(cell)) return cell;
      odd_.clear();
      add_text(odd_, cell);
      return odd_;
    }
    if (integers_ != nullptr) return write((*integers_)[row]);
    return std::isnan((*doubles_)[row]) ? std::string_view() : write((*doubles_)[row]);
  }
  template <class T> std::string_view write(T value) {
    return {number_, static_cast<std::size_t>(fmt::format_to(number_, FMT_COMPILE("{}"), value) - number_)};
  }

  const std::vector<double>* doubles_;
  const std::vector<std::int64_t>* integers_;
  const std::vector<std::string>* texts_;
  std::size_t cells_;
  std::string_view last_; // in a cell, or in one of these
  std::string odd_;
  char number_[40] = {};
};

} // namespace

void add_csv_head(std::string& out, const Result& result, const Table& table) {
  if (&table != &result.tables.front())
    out += '\n';
  else
    for (const std::string& verdict : result.verdict) out += comment_line(verdict);
  if (result.tables.size() > 1) out += comment_line(table.title);
  for (const Column& column : table.columns) {
    if (&column != &table.columns.front()) out += ',';
    const std::string& unit = column.unit.symbol;
    add_text(out, unit.empty() || unit == "fraction" ? column.name : column.name + " [" + unit + "]");
  }
  out += '\n';
}

void add_csv_rows(std::string& out, const Table& table, std::size_t rows) {
  std::vector<Writer> writers;
  writers.reserve(table.columns.size());
  for (const Column& column : table.columns) writers.emplace_back(column);
  const std::size_t start = out.size();
  constexpr std::size_t probe = 1000; // rows that tell how long the others will be
  for (std::size_t row = 0; row < rows; ++row) {
    if (row == probe) out.reserve(start + (out.size() - start + probe) / probe * rows * 9 / 8);
    for (std::size_t c = 0; c < writers.size(); ++c) {
      if (c > 0) out += ',';
      writers[c].add(out, row);
    }
    out += '\n';
  }
}

std::string to_csv(const Result& result) {
  std::string out;
  for (const Table& table : result.tables) {
    add_csv_head(out, result, table);
    add_csv_rows(out, table, table.rows());
  }
  return out;
}

} // namespace perfmodel::cli
