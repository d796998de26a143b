// Warps of a block that load the same lines. In a trace the first warp misses L1 each time, and all others find
// what it has brought; on an SM the one that comes first misses, whichever it is, and none falls behind for it.
#pragma once

#include "block_trace.hpp"

#include <cstdint>
#include <vector>

namespace perfmodel {

// `warps`: the steps of each, by their number among `steps`. Where all make the same load at the same place,
// and only some find in L1 what they ask for, the warps take turns to be those.
void take_turns_to_miss(std::vector<std::vector<std::uint32_t>>& warps, const std::vector<TracedStep>& steps);

} // namespace perfmodel
