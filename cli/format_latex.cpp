#include "format.hpp"

#include "cell_text.hpp"
#include "folded.hpp"
#include "latex_text.hpp"
#include "text_lines.hpp"

#include "models/core/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

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

// How a table gets into the lines of an A4 page at 10 points, LaTeX's own margins: in smaller letters, then
// with its long texts in paragraphs. Widths are in letters of the table's own size, a letter being about
// half as wide as it is high.
struct Fit {
  std::string size, sides, warning;
  bool has_paragraphs = false;
};

constexpr double line_points = 345, letter_width = 0.55; // of its height
constexpr double usual_between = 12, small_between = 6;  // points between two columns
constexpr std::size_t least_paragraph = 16;

struct ColumnWidth {
  char side = 'r';
  double letters = 0;
};

double points_of(const std::vector<ColumnWidth>& columns, double size, double between) {
  double points = 0;
  for (const ColumnWidth& column : columns) points += column.letters * letter_width * size + between;
  return points;
}

Fit fit_of(std::vector<ColumnWidth> columns) {
  const auto sides = [&](double size) {
    std::string text;
    for (const ColumnWidth& column : columns)
      text += column.side == 'p' ? fmt::format("p{{{:.0f}pt}}", column.letters * letter_width * size)
                                 : std::string(1, column.side);
    return text;
  };
  if (points_of(columns, 10, usual_between) <= line_points) return {"", sides(10), ""};
  for (const auto& [name, size] : {std::pair{"\\small", 9.0}, {"\\footnotesize", 8.0}})
    if (points_of(columns, size, small_between) <= line_points) return {name, sides(size), ""};
  const double size = 7;
  std::vector<ColumnWidth*> texts; // that can be broken
  for (ColumnWidth& column : columns)
    if (column.side == 'l' && column.letters > least_paragraph) texts.push_back(&column);
  for (double over; !texts.empty() && (over = points_of(columns, size, small_between) - line_points) > 0;) {
    ColumnWidth& widest = **std::max_element(
        texts.begin(), texts.end(), [](const auto* a, const auto* b) { return a->letters < b->letters; });
    if (widest.letters <= least_paragraph) break;
    widest.side = 'p';
    widest.letters = std::max<double>(least_paragraph, widest.letters - std::max(1.0, over / size));
  }
  const bool fits = points_of(columns, size, small_between) <= line_points;
  return {"\\scriptsize", sides(size),
          fits ? ""
               : "wider than the text of an A4 page: \\usepackage{graphicx} and "
                 "\\resizebox{\\textwidth}{!}{...} around the tabular, or a landscape page",
          std::any_of(columns.begin(), columns.end(), [](const ColumnWidth& c) { return c.side == 'p'; })};
}

// Of a paragraph: names and addresses have no blanks to break at.
std::string breakable(const std::string& latex) {
  std::string out;
  for (std::size_t i = 0; i < latex.size(); ++i) {
    out += latex[i];
    const bool within = i + 1 < latex.size() && latex[i + 1] != ' ';
    if (within && (latex[i] == '_' || latex[i] == '/' || latex[i] == '.')) out += "\\allowbreak{}";
  }
  return out;
}

std::string comment(const std::string& text) { return "% " + printable(text) + "\n"; }

void add_table(std::string& out, const Folded& f) {
  out += "\\begin{table}\n  \\centering\n";
  out += "  \\caption{" + latex_text(f.heading) + (f.same.empty() ? "" : "; " + latex_text(f.same)) + "}\n";
  std::string heads;
  std::vector<ColumnWidth> widths;
  for (const Column& column : f.table.columns) {
    widths.push_back({column.is_text() ? 'l' : 'r', static_cast<double>(heading(column.name).size())});
    for (std::size_t row = 0; row < f.table.rows(); ++row)
      widths.back().letters = std::max<double>(
          widths.back().letters, static_cast<double>(width_of(cell_text(column, row, f.integers[row]))));
    heads += (heads.empty() ? "    " : " & ") + latex_text(heading(column.name));
  }
  const Fit fit = fit_of(std::move(widths));
  if (!fit.warning.empty()) out += "  % " + fit.warning + "\n";
  if (!fit.size.empty()) out += "  " + fit.size + "\\setlength{\\tabcolsep}{3pt}%\n";
  out += "  \\begin{tabular}{" + fit.sides + "}\n    \\toprule\n" + heads + " \\\\\n    \\midrule\n";
  for (std::size_t row = 0; row < f.table.rows(); ++row) {
    out += "    ";
    for (const Column& column : f.table.columns) {
      const std::string cell = cell_text(column, row, f.integers[row]);
      if (&column != &f.table.columns.front()) out += " & ";
      const std::string text = column.is_text() || cell.empty() ? latex_text(cell) : number_as_latex(cell);
      out += fit.has_paragraphs && column.is_text() ? breakable(text) : text;
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
