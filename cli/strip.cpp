#include "strip.hpp"

#include "cell_text.hpp"
#include "text_lines.hpp"

#include <algorithm>

namespace perfmodel::cli {

namespace {

constexpr std::size_t long_word = 34;

struct Parts {
  std::string_view number, unit;
};
Parts parts_of(std::string_view cell) {
  const auto of_number = [](char c) {
    return (c >= '0' && c <= '9') || c == ' ' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'i' ||
           c == 'n' || c == 'f';
  };
  const auto found = std::find_if_not(cell.begin(), cell.end(), of_number);
  const std::size_t at = found == cell.end() ? cell.npos : static_cast<std::size_t>(found - cell.begin());
  const std::size_t space = at == cell.npos ? cell.npos : cell.rfind(' ', at);
  if (space == cell.npos) return {cell, ""};
  return {cell.substr(0, space), cell.substr(space)};
}

} // namespace

Strip strip_of(const Column& column) {
  Strip strip{.head = {heading(column.name)}, .text = column.is_text()};
  strip.width = width_of(strip.head.front());
  return strip;
}

void see(Strip& strip, const std::string& cell) {
  if (strip.text) {
    strip.word = std::max(strip.word, std::min(longest_word(cell), long_word));
    strip.width = std::max(strip.width, width_of(cell));
    return;
  }
  const Parts parts = parts_of(cell);
  strip.number = std::max(strip.number, width_of(parts.number));
  strip.unit = std::max(strip.unit, width_of(parts.unit));
  strip.width = std::max(strip.width, strip.number + strip.unit);
}

void lines_of(const Strip& strip, std::string_view cell, std::vector<std::string>& lines) {
  if (strip.text && width_of(cell) > strip.width) {
    lines = wrapped(cell, strip.width);
    for (std::string& line : lines) line = padded(line, strip.width);
    return;
  }
  lines.resize(1);
  std::string& line = lines.front();
  const auto blanks = [&](std::size_t room, std::size_t width) {
    if (room > width) line.append(room - width, ' ');
  };
  line.clear();
  if (strip.text) {
    line = cell;
    return blanks(strip.width, width_of(cell));
  }
  const Parts parts = parts_of(cell);
  blanks(strip.width,
         std::max(strip.number, width_of(parts.number)) + std::max(strip.unit, width_of(parts.unit)));
  blanks(strip.number, width_of(parts.number));
  line.append(parts.number).append(parts.unit);
  blanks(strip.unit, width_of(parts.unit));
}

void narrow(Strip& strip, std::size_t width) {
  if (!strip.text || strip.width <= width) return;
  strip.width = std::max({width, width_of(strip.head.front()), strip.word});
}

std::size_t natural_width(const std::vector<Strip>& strips, std::size_t indent) {
  std::size_t total = indent;
  for (const Strip& s : strips) total += s.width + 2;
  return total - 2;
}

std::size_t least_width(const std::vector<Strip>& strips, std::size_t indent) {
  std::size_t total = indent;
  for (const Strip& s : strips) total += (s.text ? std::min(s.width, widest_text) : s.width) + 2;
  if (strips.back().text && strips.back().width > least_wrap)
    total -= std::min(strips.back().width, widest_text) - least_wrap;
  return total - 2;
}

namespace {

// Lines of `room`, or of the longest word or number where that is longer.
Strip with_head(Strip strip, std::size_t room) {
  const std::string head = strip.head.front();
  const std::size_t cells = strip.number + strip.unit;
  strip.head = wrapped(head, std::max({longest_word(head), cells, room}));
  strip.width = cells;
  for (const std::string& line : strip.head) strip.width = std::max(strip.width, width_of(line));
  return strip;
}

} // namespace

bool narrow_heads(std::vector<Strip>& strips, std::size_t width, std::size_t indent) {
  const std::vector<Strip> whole = strips;
  std::vector<Strip> narrowed;
  for (const Strip& strip : whole) narrowed.push_back(strip.text ? strip : with_head(strip, 0));
  if (least_width(narrowed, indent) > width) return false;
  const auto needed = natural_width(narrowed, indent) <= width ? natural_width : least_width;
  for (std::size_t s = 0; s < whole.size(); ++s) {
    if (whole[s].text) continue;
    const Strip least = narrowed[s];
    for (std::size_t room = whole[s].width; room > least.width; --room) {
      narrowed[s] = with_head(whole[s], room);
      if (needed(narrowed, indent) <= width) break;
      narrowed[s] = least;
    }
  }
  strips = std::move(narrowed);
  return true;
}

} // namespace perfmodel::cli
