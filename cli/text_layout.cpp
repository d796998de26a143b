#include "text_layout.hpp"

#include "cell_text.hpp"
#include "strip.hpp"
#include "text_lines.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::cli {

namespace {

constexpr std::size_t widest_text = 24,
                      least_wrap = 22; // of a text column between others, and of the last one

// What the strips need beside one another once long texts are wrapped.
std::size_t least_width(const std::vector<Strip>& strips, std::size_t indent) {
  std::size_t total = indent;
  for (const Strip& s : strips) total += (s.text ? std::min(s.width, widest_text) : s.width) + 2;
  if (strips.back().text && strips.back().width > least_wrap)
    total -= std::min(strips.back().width, widest_text) - least_wrap;
  return total - 2;
}

bool has_value(const Column& column) {
  for (std::size_t row = 0; row < column.size(); ++row)
    if (column.is_text() ? !column.text(row).empty() : !std::isnan(column.number(row))) return true;
  return false;
}

std::string trimmed_line(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string sideways(const std::vector<const Column*>& columns, std::size_t width, std::size_t indent,
                     const std::vector<bool>& integers) {
  std::size_t head = 0;
  for (const Column* c : columns) head = std::max(head, width_of(heading(c->name)));
  std::string out;
  for (std::size_t row = 0; row < columns.front()->size(); ++row) {
    if (row > 0) out += "\n";
    for (const Column* c : columns) {
      const std::string text = cell_text(*c, row, row < integers.size() && integers[row]);
      if (text.empty() || text == "-") continue;
      std::string label = padded(heading(c->name), head);
      for (const std::string& line : wrapped(text, width - indent - head - 2)) {
        out += trimmed_line(std::string(indent, ' ') + label + "  " + line);
        label.assign(head, ' ');
      }
    }
  }
  return out;
}

// The chosen strips beside one another.
std::string block(std::vector<Strip> strips, std::size_t width, std::size_t indent) {
  std::size_t before = indent;
  for (std::size_t s = 0; s + 1 < strips.size(); ++s) before += strips[s].width + 2;
  Strip& last = strips.back(); // takes what room there is, whatever its words
  if (last.text && before + last.width > width) {
    last.width = width > before + least_wrap ? width - before : least_wrap;
    for (auto& cell : last.cells) cell = wrapped(cell.front(), last.width);
  }
  std::string out;
  std::size_t head_lines = 1;
  for (const Strip& s : strips) head_lines = std::max(head_lines, s.head.size());
  for (std::size_t line = 0; line < head_lines; ++line) { // the last line of each right above its cells
    std::string head(indent, ' ');
    for (const Strip& s : strips) {
      const std::size_t above = head_lines - s.head.size();
      head += padded(line < above ? "" : s.head[line - above], s.width, !s.text) + "  ";
    }
    out += trimmed_line(head);
  }
  for (std::size_t row = 0; row < strips.front().cells.size(); ++row) {
    std::size_t height = 1;
    for (const Strip& s : strips) height = std::max(height, s.cells[row].size());
    for (std::size_t piece = 0; piece < height; ++piece) {
      std::string line(indent, ' ');
      for (const Strip& s : strips)
        line += padded(piece < s.cells[row].size() ? s.cells[row][piece] : "", s.width, !s.text) + "  ";
      out += trimmed_line(line);
    }
  }
  return out;
}

} // namespace

std::string layout(const Table& table, std::size_t width, std::size_t indent,
                   const std::vector<bool>& integers) {
  std::vector<const Column*> columns;
  for (const Column& column : table.columns)
    if (has_value(column)) columns.push_back(&column);
  if (columns.empty() || table.rows() == 0) return "";
  std::vector<Strip> strips;
  for (const Column* column : columns) strips.push_back(strip_of(*column, integers));
  if (least_width(strips, indent) > width) {
    std::vector<Strip> narrowed = strips;
    for (Strip& s : narrowed) narrow_head(s);
    if (least_width(narrowed, indent) <= width) strips = std::move(narrowed);
  }
  if (least_width(strips, indent) > width && table.rows() <= 3)
    return sideways(columns, width, indent, integers);
  std::size_t natural = indent;
  for (const Strip& s : strips) natural += s.width + 2;
  if (natural - 2 > width)
    for (std::size_t s = 0; s + 1 < strips.size(); ++s) narrow(strips[s], widest_text);
  // The keys that lead the table stand in every block, as long as they leave room for more.
  std::size_t lead = 1, lead_width = indent + strips[0].width;
  while (lead + 1 < strips.size() && columns[lead]->role == Role::key &&
         lead_width + 2 + strips[lead].width <= width / 2)
    lead_width += 2 + strips[lead++].width;
  const std::vector<Strip> keys(strips.begin(), strips.begin() + static_cast<std::ptrdiff_t>(lead));
  std::string out;
  std::vector<Strip> shown = keys;
  std::size_t used = lead_width;
  for (std::size_t s = lead; s < strips.size(); ++s) {
    const bool last_text = strips[s].text && s + 1 == strips.size();
    const std::size_t needs = last_text ? std::min(strips[s].width, least_wrap) : strips[s].width;
    if (used + 2 + needs > width && shown.size() > lead) {
      out += block(std::move(shown), width, indent) + "\n";
      shown = keys;
      used = lead_width;
    }
    used += 2 + strips[s].width;
    shown.push_back(std::move(strips[s]));
  }
  return out + block(std::move(shown), width, indent);
}

} // namespace perfmodel::cli
