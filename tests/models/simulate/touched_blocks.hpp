// Blocks of which it is said what they touch.
#pragma once

#include "models/simulate/footprint.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel::footprint_test {

constexpr double huge = 1e18;
constexpr Rows no_rows{};

// Blocks of one allocation that is read, each of its atoms.
struct Blocks {
  std::vector<BlockFootprint> all;
  explicit Blocks(std::size_t count) { all.assign(count, BlockFootprint(1)); }
  void read(std::size_t block, std::uint64_t from, std::uint64_t count) {
    for (std::uint64_t atom = from; atom < from + count; ++atom) all[block].loads[0][atom] = 0;
  }
  void write(std::size_t block, std::uint64_t from, std::uint64_t count, std::uint32_t bytes) {
    for (std::uint64_t sector = from; sector < from + count; ++sector)
      all[block].stores[0][sector].bytes |= bytes;
  }
  // The first, those that follow it in x, and after them those in y.
  Neighbours neighbours(std::size_t right) const {
    Neighbours made{.block = all.data(), .right = {}, .below = {}};
    for (std::size_t i = 1; i < all.size(); ++i) (i <= right ? made.right : made.below).push_back(&all[i]);
    if (right > 0) made.beside = {&all[1]};
    return made;
  }
};

} // namespace perfmodel::footprint_test
