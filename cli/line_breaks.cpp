#include "line_breaks.hpp"

#include "text_lines.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <algorithm>
#include <string>

namespace perfmodel::cli {

namespace {

constexpr std::string_view start_of_command = "perfmodel ";

bool is_digit(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

// The word that begins at `at`, without the punctuation behind it.
std::string_view word_at(std::string_view text, std::size_t at) {
  const std::string_view word = text.substr(at, text.find(' ', at) - at);
  return word.substr(0, word.find_last_not_of(".,;:)") + 1);
}

bool is_unit(std::string_view word) {
  constexpr std::size_t longest = 12; // of the units' symbols, with a prefix
  if (word == "%") return true;
  if (word.empty() || word.size() > longest || is_digit(word, 0)) return false;
  try {
    parse_quantity("1 " + std::string(word));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// Where the word behind the space at `at` ends.
std::size_t next_word_end(std::string_view text, std::size_t at) {
  return std::min(text.find(' ', at + 1), text.size());
}

// The end of a command that begins at `begin`: its quote, or else its name and each option with its value.
std::size_t command_end(std::string_view text, std::size_t begin) {
  const char before = begin > 0 ? text[begin - 1] : ' ';
  if (before == '\'' || before == '`')
    for (std::size_t at = begin; (at = text.find(before, at)) != std::string_view::npos; ++at)
      if (at + 1 == text.size() || std::string_view(" .,;:)").find(text[at + 1]) != std::string_view::npos)
        return at;
  std::size_t end = next_word_end(text, begin + start_of_command.size() - 1);
  while (end + 1 < text.size() && text[end + 1] == '-' && is_digit(text, end + 2) == false)
    end = next_word_end(text, next_word_end(text, end));
  return end;
}

} // namespace

std::vector<LineBreak> line_breaks(std::string_view text, std::size_t width) {
  std::vector<LineBreak> breaks(text.size(), LineBreak::never);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != ' ') continue;
    const bool after_digit = at > 0 && is_digit(text, at - 1);
    if (after_digit && is_digit(text, at + 1)) continue;
    breaks[at] = after_digit && is_unit(word_at(text, at + 1)) ? LineBreak::unwelcome : LineBreak::good;
  }
  for (std::size_t begin = text.find(start_of_command); begin != std::string_view::npos;
       begin = text.find(start_of_command, begin + 1)) {
    const std::size_t end = command_end(text, begin);
    if (width_of(text.substr(begin, end - begin)) + 2 > width) continue; // with its quotes
    for (std::size_t at = begin; at < end; ++at)
      if (breaks[at] == LineBreak::good) breaks[at] = LineBreak::unwelcome;
  }
  return breaks;
}

} // namespace perfmodel::cli
