// To how many words and lines the atomic operations of a launch go, as if all of them were alike. Values of a
// normal distribution are counted in a few bins in the middle more often than in all others: then the slice
// of L2 that has those binds, and the word, sooner than the number of bins says. Of operations of different
// blocks that meet in a place, those of a third block go there, too, with the chance
//   p = (sum of n1 n2 n3 / sum of N1 N2 N3) / (sum of n1 n2 / sum of N1 N2),
// over places, and pairs and threes of blocks, of whose N operations n go to the place: 1 / places where all
// are alike. What meets in a place within one block says nothing of others: a block may have its own counter.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace perfmodel {

// Of a block: operations of lanes, by address over four.
using AddedWords = std::unordered_map<std::uint64_t, double>;

struct AddedPlaces {
  double lines = 0, words = 0; // 0: there is no such operation
};
// `some`: what each of some blocks adds to of one array, out of so many in all; `most`: bytes of it. Where no
// two of them meet, each block has words of its own, and lines.
AddedPlaces added_places(const std::vector<const AddedWords*>& some, double blocks, double most);

// Lines side by side that a slice of L2 holds.
inline constexpr std::uint64_t lines_of_slice = 4;

} // namespace perfmodel
