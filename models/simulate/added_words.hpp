// How evenly atomic operations go to the words of an array. Values of a normal distribution are counted in a
// few bins in the middle more often than in all others: then the slice of L2 that has those binds, and the
// word, sooner than the number of bins says. Of two operations on one word, or on lines of one slice, a third
// goes there, too, with the chance
//   p = sum of n (n - 1) (n - 2) / ((N - 2) sum of n (n - 1)),
// where n of N went to each, as some blocks show: 1 / words where all words are alike, whatever N is.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace perfmodel {

// Of some blocks: operations of lanes, by address over four.
using AddedWords = std::unordered_map<std::uint64_t, double>;

struct AddedEvenly {
  double seen = 0;          // lines that these blocks touch
  double lines = 1;         // so many of each of all lines would do, if all were touched alike
  double words_of_line = 0; // in the same way, of each of these lines; 0: there is no such operation
};
// `blocks`: what each of some blocks adds to, of one array.
AddedEvenly added_evenly(const std::vector<const AddedWords*>& blocks);

// Lines side by side that a slice of L2 holds.
inline constexpr std::uint64_t lines_of_slice = 4;

} // namespace perfmodel
