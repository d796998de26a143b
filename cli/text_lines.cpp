#include "text_lines.hpp"

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

namespace {

// A space, but not one that groups the digits of a number.
bool may_break(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  return text[at] == ' ' && !(at > 0 && digit(at - 1) && digit(at + 1));
}

// Looks no further than it has to: a note may be a book.
bool is_wider(std::string_view text, std::size_t width) {
  std::size_t shown = 0;
  for (const char c : text)
    if ((c & 0xC0) != 0x80 && ++shown > width) return true;
  return false;
}

} // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (is_wider(text, width)) {
    std::size_t end = 0; // in bytes, `width` characters on
    for (std::size_t shown = 0; shown < width; ++shown) do
        ++end;
      while (end < text.size() && (text[end] & 0xC0) == 0x80);
    std::size_t cut = end;
    while (cut > 0 && !may_break(text, cut)) --cut;
    if (cut == 0) cut = end;
    const std::string_view line = text.substr(0, cut);
    lines.emplace_back(line.substr(0, line.find_last_not_of(' ') + 1));
    text.remove_prefix(cut);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  lines.emplace_back(text);
  return lines;
}

} // namespace perfmodel::cli
