#include "utf8.hpp"

#include <algorithm>

namespace perfmodel {

char32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at++);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  if (first < 0xC2 || first > 0xF4 || at + static_cast<std::size_t>(more) > text.size()) return no_character;
  char32_t c = first & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) {
    const unsigned char b = byte(at + static_cast<std::size_t>(i));
    if ((b & 0xC0) != 0x80) return no_character;
    c = (c << 6) | (b & 0x3Fu);
  }
  constexpr char32_t least[] = {0, 0x80, 0x800, 0x10000};
  if (c < least[more] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return no_character;
  at += static_cast<std::size_t>(more);
  return c;
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

namespace {

std::string cleaned(std::string_view text, bool lines) {
  const auto plain = [&](char c) { return (c >= 0x20 && c < 0x7F) || (lines && c == '\n'); };
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    while (at < text.size() && plain(text[at])) ++at; // nearly all of nearly every text
    out += text.substr(from, at - from);
    if (at == text.size()) break;
    const std::size_t begin = at;
    const char32_t c = next_character(text, at);
    if (c == U'\n' || c == U'\r' || c == U'\t')
      out += ' ';
    else if (c == no_character || is_control(c))
      out += '?';
    else
      out += text.substr(begin, at - begin);
  }
  return out;
}

} // namespace

std::string printable(std::string_view text) { return cleaned(text, false); }
std::string printable_lines(std::string_view text) { return cleaned(text, true); }

} // namespace perfmodel
