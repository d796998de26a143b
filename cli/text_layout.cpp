#include "text_layout.hpp"

#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::cli {

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width, bool right) {
  const std::size_t has = width_of(text);
  const std::string space(width > has ? width - has : 0, ' ');
  return right ? space + std::string(text) : std::string(text) + space;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (width_of(text) > width) {
    std::size_t end = 0; // in bytes, `width` characters on
    for (std::size_t shown = 0; shown < width; ++shown)
      do ++end;
      while (end < text.size() && (text[end] & 0xC0) == 0x80);
    std::size_t cut = text[end] == ' ' ? end : text.substr(0, end).rfind(' ');
    if (cut == std::string_view::npos || cut == 0) cut = end;
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  lines.emplace_back(text);
  return lines;
}

std::string heading(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string cell_text(const Column& column, std::size_t row) {
  // Lectures mix 108.9 kB and 106.4 KiB; whoever reads one should see the other.
  if (!column.is_text() && column.unit.symbol == "B" && column.number(row) >= 1024)
    return format_quantity(column.number(row), column.unit) + " (" +
           format_quantity(column.number(row), column.unit, Prefix::binary) + ")";
  if (!column.is_text()) return format_quantity(column.number(row), column.unit);
  std::string text = column.text(row); // a kernel's name may hold a line break, or what a terminal obeys
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

namespace {

// One column ready to print: its cells padded to one width, numbers right, units left of each other.
struct Strip {
  std::string head;
  std::vector<std::string> cells;
  std::size_t width = 0;
  bool text = false;
};

Strip strip_of(const Column& column) {
  Strip strip{.head = heading(column.name), .text = column.is_text()};
  const std::size_t rows = column.size();
  std::vector<std::pair<std::string, std::string>> parts; // number, unit
  std::size_t number_width = 0, unit_width = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::string cell = cell_text(column, row), unit;
    if (!strip.text) {
      const std::size_t at = cell.find_first_not_of("0123456789.-+ einf");
      const std::size_t space = at == std::string::npos ? std::string::npos : cell.rfind(' ', at);
      if (space != std::string::npos) unit = cell.substr(space), cell.resize(space);
    }
    number_width = std::max(number_width, width_of(cell));
    unit_width = std::max(unit_width, width_of(unit));
    parts.emplace_back(std::move(cell), std::move(unit));
  }
  for (const auto& [number, unit] : parts)
    strip.cells.push_back(padded(number, number_width, !strip.text) + padded(unit, unit_width));
  strip.width = std::max(width_of(strip.head), number_width + unit_width);
  for (std::string& cell : strip.cells) cell = padded(cell, strip.width, !strip.text);
  return strip;
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

std::string sideways(const std::vector<const Column*>& columns, std::size_t width, std::size_t indent) {
  std::size_t head = 0;
  for (const Column* c : columns) head = std::max(head, width_of(heading(c->name)));
  std::string out;
  for (std::size_t row = 0; row < columns.front()->size(); ++row) {
    if (row > 0) out += "\n";
    for (const Column* c : columns) {
      const std::string text = cell_text(*c, row);
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

// The strips from `first` up to `last` beside one another, the last one wrapped when it is text.
std::string block(const std::vector<Strip>& strips, const std::vector<std::size_t>& shown, std::size_t width, std::size_t indent) {
  std::string out, head(indent, ' ');
  for (const std::size_t s : shown) head += padded(strips[s].head, strips[s].width, !strips[s].text) + "  ";
  out += trimmed_line(head);
  std::size_t before = indent;
  for (std::size_t i = 0; i + 1 < shown.size(); ++i) before += strips[shown[i]].width + 2;
  const Strip& last = strips[shown.back()];
  for (std::size_t row = 0; row < last.cells.size(); ++row) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i + 1 < shown.size(); ++i) line += strips[shown[i]].cells[row] + "  ";
    if (!last.text || before + last.width <= width) {
      out += trimmed_line(line + last.cells[row]);
      continue;
    }
    std::string cell = last.cells[row];
    cell.erase(cell.find_last_not_of(' ') + 1);
    for (const std::string& piece : wrapped(cell, width - before)) {
      out += trimmed_line(line + piece);
      line.assign(before, ' ');
    }
  }
  return out;
}

} // namespace

std::string layout(const Table& table, std::size_t width, std::size_t indent) {
  std::vector<const Column*> columns;
  for (const Column& column : table.columns)
    if (has_value(column)) columns.push_back(&column);
  if (columns.empty() || table.rows() == 0) return "";
  std::vector<Strip> strips;
  for (const Column* column : columns) strips.push_back(strip_of(*column));
  constexpr std::size_t least_wrap = 24;
  std::size_t total = indent;
  for (const Strip& s : strips) total += s.width + 2;
  const std::size_t shrinkable = strips.back().text && strips.back().width > least_wrap ? strips.back().width - least_wrap : 0;
  if (total - 2 - shrinkable > width && table.rows() <= 3) return sideways(columns, width, indent);
  std::string out;
  std::vector<std::size_t> shown{0};
  std::size_t used = indent + strips[0].width;
  for (std::size_t s = 1; s < strips.size(); ++s) {
    const std::size_t needs = strips[s].text && s + 1 == strips.size() ? std::min(strips[s].width, least_wrap) : strips[s].width;
    if (used + 2 + needs > width && shown.size() > 1) {
      out += block(strips, shown, width, indent) + "\n";
      shown = {0};
      used = indent + strips[0].width;
    }
    shown.push_back(s);
    used += 2 + strips[s].width;
  }
  return out + block(strips, shown, width, indent);
}

} // namespace perfmodel::cli
