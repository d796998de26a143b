#include "format.hpp"

#include "cell_text.hpp"
#include "folded.hpp"
#include "latex_text.hpp"

#include "models/core/utf8.hpp"

namespace perfmodel::cli {

namespace {

// A number with its unit on the same line, and with a minus, not with a hyphen.
std::string number_as_latex(const std::string& text) {
  if (text == "-") return ""; // there is none
  const bool negative = text.front() == '-';
  std::string out = negative ? "$-$" : "";
  for (const char c : latex_text(negative ? text.substr(1) : text)) out += c == ' ' ? '~' : c;
  return out;
}

std::string comment(const std::string& text) { return "% " + printable(text) + "\n"; }

void add_table(std::string& out, const Folded& f) {
  out += "\\begin{table}\n  \\centering\n";
  out += "  \\caption{" + latex_text(f.heading) + (f.same.empty() ? "" : "; " + latex_text(f.same)) + "}\n";
  std::string sides, heads;
  for (const Column& column : f.table.columns) {
    sides += column.is_text() ? 'l' : 'r';
    heads += (heads.empty() ? "    " : " & ") + latex_text(heading(column.name));
  }
  out += "  \\begin{tabular}{" + sides + "}\n    \\toprule\n" + heads + " \\\\\n    \\midrule\n";
  for (std::size_t row = 0; row < f.table.rows(); ++row) {
    out += "    ";
    for (const Column& column : f.table.columns) {
      const std::string cell = cell_text(column, row, f.integers[row]);
      if (&column != &f.table.columns.front()) out += " & ";
      out += column.is_text() || cell.empty() ? latex_text(cell) : number_as_latex(cell);
    }
    out += " \\\\\n";
  }
  out += "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n";
}

} // namespace

std::string to_latex(const Result& result, Shown shown) {
  std::string out;
  for (const std::string& verdict : result.verdict) out += comment(verdict);
  for (const Table& table : result.tables) {
    const Folded f = folded(table, fold_of(result), shown);
    if (!out.empty()) out += '\n';
    if (f.table.columns.empty()) {
      out += comment(f.heading) + comment(f.same);
      continue;
    }
    add_table(out, f);
    for (const std::string& advice : f.advice) out += comment(advice);
    for (const std::string& note : f.table.notes) out += comment(note);
  }
  if (!result.notes.empty()) out += '\n';
  for (const std::string& note : result.notes) out += comment(note);
  return out;
}

} // namespace perfmodel::cli
