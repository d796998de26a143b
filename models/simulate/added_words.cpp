#include "added_words.hpp"

#include <algorithm>
#include <limits>

namespace perfmodel {

namespace {

constexpr std::uint64_t words_of_line = 32;

// Sums of products of two and of three of the numbers that were added.
struct Products {
  double one = 0, two = 0, three = 0;
  void add(double n) {
    three += n * two;
    two += n * one;
    one += n;
  }
};

struct Places {
  double distinct = 0; // that these blocks touch
  double alike = 0;    // in all; infinite: no two blocks meet
};

// Of places of so many words side by side.
Places places_of(const std::vector<const AddedWords*>& some, std::uint64_t words) {
  std::unordered_map<std::uint64_t, Products> places;
  Products all;
  for (const AddedWords* block : some) {
    AddedWords own;
    double sum = 0;
    for (const auto& [word, n] : *block) own[word / words] += n, sum += n;
    for (const auto& [place, n] : own) places[place].add(n);
    all.add(sum);
  }
  double two = 0, three = 0;
  for (const auto& [place, products] : places) two += products.two, three += products.three;
  Places made{static_cast<double>(places.size()), std::numeric_limits<double>::infinity()};
  if (two > 0) made.alike = all.two / two;
  if (three > 0) made.alike = std::min(all.three / three / made.alike, made.alike);
  if (some.size() == 1) made.alike = made.distinct;
  return made;
}

} // namespace

AddedPlaces added_places(const std::vector<const AddedWords*>& some, double blocks, double most) {
  const Places words = places_of(some, 1), lines = places_of(some, words_of_line),
               slices = places_of(some, words_of_line * lines_of_slice);
  if (words.distinct == 0) return {};
  const double times = std::max(1.0, blocks / static_cast<double>(some.size()));
  const double most_lines = std::max(1.0, most / (4 * words_of_line));
  const double all_lines = std::min({slices.alike * lines_of_slice, lines.distinct * times, most_lines});
  return {.lines = std::max(1.0, all_lines),
          .words =
              std::clamp(std::min(words.alike, words.distinct * times), 1.0, most_lines * words_of_line)};
}

} // namespace perfmodel
