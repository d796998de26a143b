#include "ascii.hpp"

#include "plots/layout/utf8.hpp"

#include <algorithm>
#include <utility>

namespace perfmodel::plots {

namespace {
constexpr std::u32string_view superscripts = U"⁰¹²³⁴⁵⁶⁷⁸⁹";
constexpr std::pair<char32_t, std::string_view> spellings[] = {
    {U'µ', "u"}, {U'μ', "u"},  {U'×', "x"},  {U'·', "*"},  {U'–', "-"},   {U'—', "-"}, {U'−', "-"},
    {U'…', "~"}, {U'≤', "<="}, {U'≥', ">="}, {U'±', "+-"}, {U'°', "deg"}, {U'’', "'"}};
constexpr std::pair<char32_t, char> likenesses[] = {
    {U'─', '-'}, {U'│', '|'}, {U'┬', '+'}, {U'└', '+'}, {U'┤', '+'}, {U'□', '$'},
    {U'△', 'A'}, {U'◇', 'X'}, {U'▽', 'V'}, {U'⬠', '&'}, {U'⬡', '@'}, {U'•', '*'},
    {U'●', 'O'}, {U'█', '#'}, {U'◐', '%'}, {U'⊖', '?'}, {U'…', '~'}};

// The character most like the eight dots of a cell. Bits as in Braille::dot.
char like_dots(unsigned dots) {
  constexpr unsigned left_bits[] = {0x01, 0x02, 0x04, 0x40}, right_bits[] = {0x08, 0x10, 0x20, 0x80};
  int left = 0, right = 0, left_sum = 0, right_sum = 0, rows = 0, row_sum = 0;
  for (int row = 0; row < 4; ++row) {
    const bool l = (dots & left_bits[row]) != 0, r = (dots & right_bits[row]) != 0;
    left += l, right += r, left_sum += l ? row : 0, right_sum += r ? row : 0;
    rows += l || r, row_sum += l || r ? row : 0;
  }
  if (left + right == 0) return ' ';
  if (left + right >= 6) return '#';
  if ((left == 0 || right == 0) && rows > 1) return '|';
  if (rows > 1 && left > 0 && right > 0) {
    const int slope = left_sum * right - right_sum * left; // of the means, times both counts
    if (slope >= left * right) return '/';
    if (slope <= -left * right) return '\\';
    if (left == right && rows == 2) return '=';
  }
  return row_sum < rows ? '\'' : row_sum < 3 * rows ? '-' : '_';
}
} // namespace

std::string ascii_words(std::string_view text) {
  std::string out;
  bool raised = false;
  for (const char32_t c : decode(text)) {
    const std::size_t digit = superscripts.find(c);
    const bool high = digit != std::u32string_view::npos || c == U'⁻';
    if (high && !raised) out += '^';
    raised = high;
    if (c < 0x80)
      out += static_cast<char>(c);
    else if (high)
      out += c == U'⁻' ? '-' : static_cast<char>('0' + digit);
    else if (columns_of(c) > 0) {
      std::string_view word = "?";
      for (const auto& [from, to] : spellings)
        if (from == c) word = to;
      out += word;
    }
  }
  return out;
}

std::string ascii_drawing(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    for (std::size_t i = at; i < end;) { // escapes of colours are ASCII, and no character that decode() knows
      if (static_cast<unsigned char>(text[i]) < 0x80) {
        out += text[i++];
        continue;
      }
      std::size_t to = i + 1;
      while (to < end && (static_cast<unsigned char>(text[to]) & 0xC0) == 0x80) ++to;
      for (const char32_t c : decode(text.substr(i, to - i))) {
        char like = '?';
        for (const auto& [from, mark] : likenesses)
          if (from == c) like = mark;
        if (c >= 0x2800 && c < 0x2900) like = like_dots(static_cast<unsigned>(c - 0x2800));
        out += std::string(static_cast<std::size_t>(columns_of(c)), like);
      }
      i = to;
    }
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

} // namespace perfmodel::plots
