#include "text_layout.hpp"

#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::cli {

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
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
    for (std::size_t shown = 0; shown < width; ++shown) do
        ++end;
      while (end < text.size() && (text[end] & 0xC0) == 0x80);
    std::size_t cut = text[end] == ' ' ? end : text.substr(0, end).rfind(' ');
    if (cut == std::string_view::npos || cut == 0) cut = end;
    const std::string_view line = text.substr(0, cut);
    lines.emplace_back(line.substr(0, line.find_last_not_of(' ') + 1));
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

std::vector<bool> integer_rows(const Table& table) {
  std::vector<bool> rows(table.rows(), false);
  for (const Column& column : table.columns)
    if (column.role == Role::key && column.is_text() &&
        (column.name == "precision" || column.name == "ceiling"))
      for (std::size_t row = 0; row < rows.size(); ++row)
        if (counts_integers(column.text(row))) rows[row] = true;
  return rows;
}

std::string cell_text(const Column& column, std::size_t row, bool integers) {
  // Lectures mix 108.9 kB and 106.4 KiB; whoever reads one should see the other.
  if (!column.is_text() && column.unit.symbol == "B" && column.number(row) >= 1024)
    return format_quantity(column.number(row), column.unit) + " (" +
           format_quantity(column.number(row), column.unit, Prefix::binary) + ")";
  if (!column.is_text())
    return format_quantity(column.number(row), integers || counts_integers(column.name)
                                                   ? as_operations(column.unit)
                                                   : column.unit);
  std::string text = column.text(row); // a kernel's name may hold a line break, or what a terminal obeys
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

namespace {

// One column ready to print: numbers right, units left of each other, long texts wrapped.
struct Strip {
  std::vector<std::string> head;               // its lines
  std::vector<std::vector<std::string>> cells; // lines of each
  std::size_t width = 0;
  bool text = false;
};

constexpr std::size_t widest_text = 24,
                      least_wrap = 22; // of a text column between others, and of the last one

Strip text_strip(const Column& column) {
  Strip strip{.head = {heading(column.name)}, .text = true};
  strip.width = width_of(strip.head.front());
  for (std::size_t row = 0; row < column.size(); ++row) {
    strip.cells.push_back({column.text(row)});
    strip.width = std::max(strip.width, width_of(strip.cells.back().front()));
  }
  return strip;
}

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    longest = std::max(longest, width_of(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  return longest;
}

// Wraps a text column to `width`, or to its longest word where that is not too long.
void narrow(Strip& strip, std::size_t width) {
  if (!strip.text || strip.width <= width) return;
  std::size_t least = width_of(strip.head.front());
  for (const auto& cell : strip.cells)
    least = std::max(least, std::min<std::size_t>(longest_word(cell.front()), 34));
  strip.width = std::max(width, least);
  for (auto& cell : strip.cells) cell = wrapped(cell.front(), strip.width);
}

Strip strip_of(const Column& column, const std::vector<bool>& integers) {
  if (column.is_text()) return text_strip(column);
  Strip strip{.head = {heading(column.name)}};
  std::vector<std::pair<std::string, std::string>> parts; // number, unit
  std::size_t number_width = 0, unit_width = 0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    std::string cell = cell_text(column, row, row < integers.size() && integers[row]), unit;
    const std::size_t at = cell.find_first_not_of("0123456789.-+ einf");
    const std::size_t space = at == std::string::npos ? std::string::npos : cell.rfind(' ', at);
    if (space != std::string::npos) unit = cell.substr(space), cell.resize(space);
    number_width = std::max(number_width, width_of(cell));
    unit_width = std::max(unit_width, width_of(unit));
    parts.emplace_back(std::move(cell), std::move(unit));
  }
  strip.width = std::max(width_of(strip.head.front()), number_width + unit_width);
  for (const auto& [number, unit] : parts)
    strip.cells.push_back(
        {padded(padded(number, number_width, true) + padded(unit, unit_width), strip.width, true)});
  return strip;
}

// A heading of several words above narrower numbers becomes several lines.
void narrow_head(Strip& strip) {
  if (strip.text) return;
  std::size_t least = longest_word(strip.head.front());
  for (const auto& cell : strip.cells) {
    const std::string& text = cell.front(); // padded to the strip's width
    least = std::max(least, strip.width - std::min(text.find_first_not_of(' '), strip.width));
  }
  for (auto& cell : strip.cells) cell.front().erase(0, strip.width - least);
  strip.head = wrapped(strip.head.front(), least);
  strip.width = least;
}

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
