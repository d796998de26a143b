// What blocks add to one another: pieces of memory that one touches and another does not.
#pragma once

#include "footprint.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace perfmodel {

// Where a piece is, of a list of places or of a map by place.
template <class Pieces> std::uint64_t place(const Pieces& piece) {
  if constexpr (std::is_integral_v<std::remove_cvref_t<Pieces>>)
    return piece;
  else
    return piece.first;
}

// What the blocks that follow add to one, each in the mean, as a share of that one. Those of them that touch
// less than half as much, at an edge of the grid, say little of the others.
template <class Set, class Of>
double share_new(const Set& block, const std::vector<const BlockFootprint*>& next, Of of) {
  std::unordered_set<std::uint64_t> fresh;
  std::size_t counted = 0;
  const auto add = [&](std::size_t least) {
    for (const BlockFootprint* one : next) {
      if (of(*one).size() < least) continue;
      ++counted;
      for (const auto& piece : of(*one))
        if (block.count(place(piece)) == 0) fresh.insert(place(piece));
    }
  };
  add(block.size() / 2);
  if (counted == 0) add(0);
  if (counted == 0 || block.empty()) return 0;
  return static_cast<double>(fresh.size()) / static_cast<double>(block.size() * counted);
}

} // namespace perfmodel
