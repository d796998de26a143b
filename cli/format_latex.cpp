#include "format.hpp"

#include "cell_text.hpp"
#include "folded.hpp"
#include "latex_layout.hpp"
#include "latex_text.hpp"
#include "text_lines.hpp"

#include "models/core/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

namespace {

constexpr std::size_t lines_of_a_page = 50;

// A number with its unit on the same line, and with a minus, not with a hyphen.
std::string number_as_latex(const std::string& text) {
  if (text == "-") return "--"; // there is none
  const bool negative = text.front() == '-';
  std::string out = negative ? "$-$" : "";
  for (const char c : latex_text(negative ? text.substr(1) : text)) out += c == ' ' ? '~' : c;
  return out;
}

constexpr std::string_view break_signs = "_/.,:=";
// Of a paragraph: names and addresses have no blanks to break at.
std::string breakable(const std::string& latex) {
  std::string out;
  for (std::size_t i = 0; i < latex.size(); ++i) {
    out += latex[i];
    const bool within = i + 1 < latex.size() && latex[i + 1] != ' ';
    if (within && break_signs.find(latex[i]) != break_signs.npos) out += "\\allowbreak{}";
  }
  return out;
}

std::string comment(const std::string& text) { return "% " + printable(text) + "\n"; }

// Where `breakable` breaks.
std::size_t longest_piece(std::string_view text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && text[end] != ' ' && break_signs.find(text[end]) == break_signs.npos) ++end;
    longest = std::max(longest, width_of(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return longest;
}

// How wide a text is, in letters of the average: capitals are half as wide again.
std::size_t average_letters(std::string_view text) {
  const auto capitals = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; }));
  return width_of(text) + capitals / 2;
}

// The columns that have any value, as the layout has to know them, and where they are.
struct Shape {
  std::vector<LatexColumn> columns;
  std::vector<const Column*> of;
};

Shape shape_of(const Folded& f) {
  Shape shape;
  for (const Column& column : f.table.columns) {
    LatexColumn seen{column.is_text(), column.role == Role::key, heading(column.name)};
    bool has_value = false;
    for (std::size_t row = 0; row < f.table.rows(); ++row) {
      const std::string cell = text_under_head(column, row, f.integers[row]);
      has_value = has_value || (!cell.empty() && (column.is_text() || cell != "-"));
      seen.cells = std::max(seen.cells, average_letters(cell));
      if (column.is_text()) seen.word = std::max(seen.word, longest_piece(cell));
    }
    if (!has_value && f.table.rows() > 0) continue;
    shape.columns.push_back(std::move(seen));
    shape.of.push_back(&column);
  }
  return shape;
}

std::string latex_cell(const Folded& f, const Column& column, std::size_t row, bool in_paragraph) {
  const std::string cell = text_under_head(column, row, f.integers[row]);
  if (!column.is_text() && !cell.empty()) return number_as_latex(cell);
  return in_paragraph ? breakable(latex_text(cell)) : latex_text(cell);
}

// The lines of a head stand on one another, above the cells.
std::string head_of(const LatexPlaced& placed) {
  if (placed.head.size() == 1) return latex_text(placed.head.front());
  std::string lines;
  for (const std::string& line : placed.head) lines += (lines.empty() ? "" : "\\\\") + latex_text(line);
  return fmt::format("\\shortstack[{}]{{{}}}", placed.side == "r" ? "r" : "l", lines);
}

void begin_tabular(std::string& out, const std::string& sides) {
  out += "  \\begin{tabular}{" + sides + "}\n    \\toprule\n";
}
void end_tabular(std::string& out) { out += "    \\bottomrule\n  \\end{tabular}\n"; }

// The rows of a part below one another.
void add_rows(std::string& out, const Folded& f, const Shape& shape, const std::vector<LatexPlaced>& part) {
  for (std::size_t row = 0; row < f.table.rows(); ++row) {
    out += "    ";
    for (const LatexPlaced& placed : part) {
      if (&placed != &part.front()) out += " & ";
      out += latex_cell(f, *shape.of[placed.column], row, placed.side.front() == 'p');
    }
    out += " \\\\\n";
  }
}

struct PartHead {
  std::string sides, heads;
};
PartHead head_of(const std::vector<LatexPlaced>& part) {
  PartHead all;
  for (const LatexPlaced& placed : part) {
    all.sides += placed.side;
    all.heads += (all.heads.empty() ? "    " : " & ") + head_of(placed);
  }
  return all;
}

// A part that is longer than a page: its head stands on each.
void add_long_part(std::string& out, const Folded& f, const Shape& shape,
                   const std::vector<LatexPlaced>& part, const std::string& caption,
                   const std::string& size) {
  const PartHead head = head_of(part);
  const std::string ruled = "    \\toprule\n" + head.heads + " \\\\\n    \\midrule\n";
  out +=
      "\\begingroup\n  " + (size.empty() ? "" : size + "%\n  ") + "\\begin{longtable}{" + head.sides + "}\n";
  out += "    \\caption{" + caption + "}\\\\\n" + ruled + "    \\endfirsthead\n" + ruled + "    \\endhead\n";
  out += "    \\bottomrule\n    \\endfoot\n";
  add_rows(out, f, shape, part);
  out += "  \\end{longtable}\n\\endgroup\n";
}

void add_part(std::string& out, const Folded& f, const Shape& shape, const std::vector<LatexPlaced>& part) {
  const PartHead head = head_of(part);
  begin_tabular(out, head.sides);
  out += head.heads + " \\\\\n    \\midrule\n";
  add_rows(out, f, shape, part);
  end_tabular(out);
}

void add_on_its_side(std::string& out, const Folded& f, const Shape& shape, const std::string& row_side) {
  std::string sides = "l";
  for (std::size_t row = 0; row < f.table.rows(); ++row) sides += row_side;
  begin_tabular(out, sides);
  for (const Column* column : shape.of) {
    out += "    " + latex_text(heading(column->name));
    for (std::size_t row = 0; row < f.table.rows(); ++row)
      out += " & " + latex_cell(f, *column, row, row_side.front() == 'p');
    out += " \\\\\n";
    if (column == shape.of.front() && f.table.rows() > 1) out += "    \\midrule\n";
  }
  end_tabular(out);
}

// Words that are longer than a good part of a line are broken.
std::string caption_text(std::string_view text) {
  constexpr std::size_t long_word = 40;
  std::string out;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, std::min(text.find(' '), text.size()));
    out += width_of(word) > long_word ? breakable(latex_text(word)) : latex_text(word);
    text.remove_prefix(word.size());
    if (text.empty()) break;
    out += ' ';
    text.remove_prefix(1);
  }
  return out;
}

void begin_table(std::string& out, const std::string& caption, const std::string& size) {
  out += "\\begin{table}\n  \\centering\n  \\caption{" + caption + "}\n";
  if (!size.empty()) out += "  " + size + "%\n";
}

void add_table(std::string& out, const Folded& f) {
  const std::string caption = caption_text(f.heading + (f.same.empty() ? "" : "; " + f.same));
  const Shape shape = shape_of(f);
  const LatexLayout layout = latex_layout(shape.columns, f.table.rows());
  if (f.table.rows() + 3 > lines_of_a_page) {
    for (const std::vector<LatexPlaced>& part : layout.parts) {
      const bool first = &part == &layout.parts.front();
      if (!first) out += '\n';
      add_long_part(out, f, shape, part, first ? caption : caption_text(f.heading) + ", continued",
                    layout.size);
    }
    return;
  }
  begin_table(out, caption, layout.size);
  if (layout.parts.empty()) add_on_its_side(out, f, shape, layout.row_side);
  // A table has to fit on a page: parts of many rows are tables of their own.
  const bool share_a_page = (f.table.rows() + 3) * layout.parts.size() <= lines_of_a_page;
  for (const std::vector<LatexPlaced>& part : layout.parts) {
    if (&part != &layout.parts.front() && share_a_page) out += "  \\par\\medskip\n";
    if (&part != &layout.parts.front() && !share_a_page) {
      out += "\\end{table}\n\n";
      begin_table(out, caption_text(f.heading) + ", continued", layout.size);
    }
    add_part(out, f, shape, part);
  }
  out += "\\end{table}\n";
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
