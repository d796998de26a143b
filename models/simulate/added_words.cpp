#include "added_words.hpp"

#include <algorithm>

namespace perfmodel {

namespace {

// As many places, all alike, as two operations meet in as often, over how many there are.
double share_alike(const AddedWords& counts) {
  double all = 0, pairs = 0, threes = 0;
  for (const auto& [place, n] : counts) {
    all += n;
    pairs += n * (n - 1);
    threes += n * (n - 1) * (n - 2);
  }
  const auto places = static_cast<double>(counts.size());
  if (threes <= 0) return 1;
  const double chance = threes / (pairs * (all - 2));
  return std::min(1.0, 1 / (chance * places));
}

} // namespace

AddedEvenly added_evenly(const std::vector<const AddedWords*>& blocks) {
  constexpr std::uint64_t words_of_line = 32;
  AddedWords words, lines, slices;
  for (const AddedWords* block : blocks)
    for (const auto& [word, n] : *block) {
      words[word] += n;
      lines[word / words_of_line] += n;
      slices[word / (words_of_line * lines_of_slice)] += n;
    }
  if (words.empty()) return {};
  const double of_lines = share_alike(slices);
  return {.seen = static_cast<double>(lines.size()),
          .lines = of_lines,
          .words_of_line = share_alike(words) * static_cast<double>(words.size()) /
                           (of_lines * static_cast<double>(lines.size()))};
}

} // namespace perfmodel
