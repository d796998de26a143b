#include "rank_lines.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "rank_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::rank_lines {

namespace {
constexpr std::size_t most_lines = 10'000;
}

void refuse(int line, const std::string& what) { throw InputError(fmt::format("line {}: {}", line, what)); }

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    line = trimmed(line);
    ++number;
    if (line.empty()) continue;
    const std::size_t word = std::min(line.find_first_of(" \t="), line.size());
    lines.push_back({number, line.substr(0, word), trimmed(line.substr(word))});
    if (lines.size() > most_lines) throw InputError(fmt::format("more than {} statements", most_lines));
  }
  return lines;
}

bool is_name(std::string_view word) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !word.empty() && !(word[0] >= '0' && word[0] <= '9') &&
         std::all_of(word.begin(), word.end(), letter);
}

std::int64_t whole(int line, std::string_view text, std::string_view of) {
  double value = -1;
  try {
    value = parse_quantity_as(trimmed(text), {});
  } catch (const InputError&) {
  }
  if (!(value >= 0) || value != std::floor(value) || value > 1e9)
    refuse(line, fmt::format("{}: a whole number is expected, not {}", of, quoted(text)));
  return static_cast<std::int64_t>(value);
}

std::string_view cut_after(std::string_view& rest, std::string_view word) {
  for (std::size_t at = rest.find(word); at != rest.npos; at = rest.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    if (at == 0 || !blank(rest[at - 1]) || end >= rest.size() || !blank(rest[end])) continue;
    const std::string_view after = trimmed(rest.substr(end));
    rest = trimmed(rest.substr(0, at));
    return after;
  }
  return {};
}

std::vector<std::size_t> ranks_named(const Line& line, std::size_t all) {
  std::vector<std::size_t> named;
  if (line.rest == "all") {
    for (std::size_t r = 0; r < all; ++r) named.push_back(r);
    return named;
  }
  for (std::string_view rest = line.rest;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = trimmed(rest.substr(0, comma));
    const std::size_t dots = part.find("..");
    const std::int64_t first = whole(line.number, part.substr(0, dots), "rank"),
                       last = dots == part.npos ? first : whole(line.number, part.substr(dots + 2), "rank");
    if (last < first) refuse(line.number, "rank: the last is before the first");
    if (last >= static_cast<std::int64_t>(RankProgram::most_ranks))
      refuse(line.number, fmt::format("rank {}: there are {} ranks at most", last, RankProgram::most_ranks));
    for (std::int64_t r = first; r <= last; ++r) named.push_back(static_cast<std::size_t>(r));
    if (comma == rest.npos) return named;
    rest.remove_prefix(comma + 1);
  }
}

} // namespace perfmodel::rank_lines
