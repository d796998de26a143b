#include "source_lines.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

SourceLines SourceLines::from_text(std::string_view text) {
  constexpr std::size_t digits = 5;
  SourceLines lines;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string word(rest.substr(0, comma));
    const bool whole = !word.empty() && word.size() <= digits && word[0] != '0' &&
                       std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!whole)
      throw InputError(fmt::format("'{}' is no number of lines; whole numbers are expected, such as 20,44",
                                   word.substr(0, 40)));
    lines.of.push_back(std::stod(word));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (lines.of.size() > most)
    throw InputError(
        fmt::format("{} numbers of lines, and the ladder has {} versions", lines.of.size(), most));
  return lines;
}

std::string SourceLines::text() const { return fmt::format("{:g}", fmt::join(of, ",")); }

} // namespace perfmodel
