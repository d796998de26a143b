#include "text_lines.hpp"

#include "line_breaks.hpp"

#include <algorithm>

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

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    longest = std::max(longest, width_of(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  return longest;
}

namespace {

// Looks no further than it has to: a note may be a book.
bool is_wider(std::string_view text, std::size_t width) {
  std::size_t shown = 0;
  for (const char c : text)
    if ((c & 0xC0) != 0x80 && ++shown > width) return true;
  return false;
}

// The last space before `end` that is at least so good a place to end a line; `begin` where there is none.
std::size_t last_break(const std::vector<LineBreak>& breaks, std::size_t begin, std::size_t end,
                       LineBreak least) {
  while (end > begin && (end >= breaks.size() || breaks[end] < least)) --end;
  return end;
}

// Of "n=1024,alpha=2", which has no space, behind its last comma before `end`; else `end`.
std::size_t behind_comma(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t comma = text.substr(begin, end - begin).rfind(',');
  return comma == std::string_view::npos ? end : begin + comma + 1;
}

} // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  if (!is_wider(text, width)) return {std::string(text)};
  const std::vector<LineBreak> breaks = line_breaks(text, width);
  std::size_t begin = 0;
  while (is_wider(text.substr(begin), width)) {
    std::size_t end = begin; // in bytes, `width` characters on
    for (std::size_t shown = 0; shown < width; ++shown) do
        ++end;
      while (end < text.size() && (text[end] & 0xC0) == 0x80);
    std::size_t cut = last_break(breaks, begin, end, LineBreak::good);
    if (cut == begin) cut = last_break(breaks, begin, end, LineBreak::unwelcome);
    if (cut == begin) cut = behind_comma(text, begin, end);
    const std::string_view line = text.substr(begin, cut - begin);
    lines.emplace_back(line.substr(0, line.find_last_not_of(' ') + 1));
    begin = std::min(text.find_first_not_of(' ', cut), text.size());
  }
  lines.emplace_back(text.substr(begin));
  return lines;
}

} // namespace perfmodel::cli
