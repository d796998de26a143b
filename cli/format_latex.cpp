#include "format.hpp"

#include "cell_text.hpp"
#include "folded.hpp"

#include "models/core/utf8.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace perfmodel::cli {

namespace {

// What LaTeX takes for a command, for an argument of the line before it ('[' and '*' behind \\), for a
// ligature, or draws as another sign in its old encoding.
constexpr std::pair<char, std::string_view> meant[] = {
    {'\\', "\\textbackslash{}"},
    {'{', "\\{"},
    {'}', "\\}"},
    {'$', "\\$"},
    {'&', "\\&"},
    {'#', "\\#"},
    {'%', "\\%"},
    {'_', "\\_"},
    {'^', "\\textasciicircum{}"},
    {'~', "\\textasciitilde{}"},
    {'<', "\\textless{}"},
    {'>', "\\textgreater{}"},
    {'|', "\\textbar{}"},
    {'"', "\\symbol{34}"},
    {'`', "\\textasciigrave{}"},
    {'\'', "\\textquotesingle{}"},
    {'[', "{[}"},
    {']', "{]}"},
    {'*', "{*}"},
};

std::string as_latex(const std::string& raw) {
  const std::string text = printable(raw);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto* const escape =
        std::find_if(std::begin(meant), std::end(meant), [c](const auto& m) { return m.first == c; });
    if (escape != std::end(meant))
      out += escape->second;
    else
      out += c;
    // "--" is a dash, "?`" another sign, ",," a quotation mark.
    if (std::string_view("-,!?").find(c) != std::string_view::npos && i + 1 < text.size() && text[i + 1] == c)
      out += "{}";
  }
  return out;
}

// A number with its unit on the same line, and with a minus, not with a hyphen.
std::string number_as_latex(const std::string& text) {
  if (text == "-") return ""; // there is none
  const bool negative = text.front() == '-';
  std::string out = negative ? "$-$" : "";
  for (const char c : as_latex(negative ? text.substr(1) : text)) out += c == ' ' ? '~' : c;
  return out;
}

std::string comment(const std::string& text) { return "% " + printable(text) + "\n"; }

void add_table(std::string& out, const Folded& f) {
  out += "\\begin{table}\n  \\centering\n";
  out += "  \\caption{" + as_latex(f.heading) + (f.same.empty() ? "" : "; " + as_latex(f.same)) + "}\n";
  std::string sides, heads;
  for (const Column& column : f.table.columns) {
    sides += column.is_text() ? 'l' : 'r';
    heads += (heads.empty() ? "    " : " & ") + as_latex(heading(column.name));
  }
  out += "  \\begin{tabular}{" + sides + "}\n    \\toprule\n" + heads + " \\\\\n    \\midrule\n";
  for (std::size_t row = 0; row < f.table.rows(); ++row) {
    out += "    ";
    for (const Column& column : f.table.columns) {
      const std::string cell = cell_text(column, row, f.integers[row]);
      if (&column != &f.table.columns.front()) out += " & ";
      out += column.is_text() || cell.empty() ? as_latex(cell) : number_as_latex(cell);
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
