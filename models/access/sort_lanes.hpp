// The numbers of a warp in ascending order, by a network of exchanges, which takes no branches: for numbers
// in no order an eighth of the time of std::sort.
#pragma once

#include "launch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace perfmodel {

// The first `count`; what stands behind them is lost.
void sort_lanes(std::array<std::int64_t, warp_lanes>& numbers, std::size_t count);

} // namespace perfmodel
