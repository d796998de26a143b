#include "utf8.hpp"

#include "models/core/utf8.hpp"

namespace perfmodel::plots {

namespace {
constexpr char32_t replacement = 0xFFFD;

bool drawable(char32_t c) { return !is_control(c) && c != 0xFFFE && c != 0xFFFF && c <= 0x10FFFF; }
} // namespace

std::u32string decode(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_character(text, at);
    if (c == '\n' || c == '\t' || c == '\r')
      out += U' ';
    else
      out += drawable(c) ? c : replacement;
  }
  return out;
}

std::string encode(std::u32string_view text) {
  std::string out;
  const auto tail = [&](char32_t c, int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  for (const char32_t c : text) {
    if (c < 0x80)
      out += static_cast<char>(c);
    else if (c < 0x800)
      out += static_cast<char>(0xC0 | (c >> 6)), tail(c, 0);
    else if (c < 0x10000)
      out += static_cast<char>(0xE0 | (c >> 12)), tail(c, 6), tail(c, 0);
    else
      out += static_cast<char>(0xF0 | (c >> 18)), tail(c, 12), tail(c, 6), tail(c, 0);
  }
  return out;
}

std::string escape_xml(std::string_view text) {
  std::string out;
  for (const char c : encode(decode(text))) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

int columns_of(char32_t c) {
  if ((c >= 0x300 && c < 0x370) || c == 0x200B || c == 0x200D || (c >= 0xFE00 && c <= 0xFE0F)) return 0;
  const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                    (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                    (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                    (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
  return wide ? 2 : 1;
}

int columns_of(std::string_view text) {
  int sum = 0;
  for (const char32_t c : decode(text)) sum += columns_of(c);
  return sum;
}

std::string cut_to_columns(std::string_view text, int columns) {
  if (columns_of(text) <= columns) return encode(decode(text));
  std::u32string kept;
  int used = 1;
  for (const char32_t c : decode(text)) {
    if (used + columns_of(c) > columns) break;
    used += columns_of(c);
    kept += c;
  }
  return columns > 0 ? encode(kept) + "…" : "";
}

} // namespace perfmodel::plots
