// What takes longer by chance: of mean 1, exponentially distributed.
#pragma once

#include "models/kernel/stand_in.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace perfmodel {

// Of a number whose bits are random, one of as many values as `drawn` has, equally likely, 6.5 at most: the
// means between their quantiles.
inline double exponential(std::uint64_t bits) {
  static const std::array<double, 256> drawn = [] {
    std::array<double, 256> means{};
    constexpr double count = 256;
    const auto rest = [](double p) { return p > 0 ? p * (1 - std::log(p)) : 0; }; // of the mean, beyond 1 - p
    for (std::size_t i = 0; i < means.size(); ++i) {
      const double p = (count - static_cast<double>(i)) / count;
      means[i] = (rest(p) - rest(p - 1 / count)) * count;
    }
    return means;
  }();
  return drawn[bits >> 56];
}

// Of a block's load, by warps whose data lie side by side (`group` counts those). From block to block by
// steps as long as the other, so that few blocks are enough for the mean: another step for each load.
inline double by_chance(std::uint64_t block, std::uint64_t load, std::uint64_t group) {
  const std::uint64_t of_load = mixed(mixed(load) + group);
  return exponential(of_load + block * mixed(of_load + 1));
}

} // namespace perfmodel
