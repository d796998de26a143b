// Warps of a block that load the same lines. In a trace the first warp misses L1 each time, and all others
// find what it has brought; on an SM the one that comes first misses, whichever it is, and none falls behind
// for it.
#pragma once

#include "block_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

// The steps of each warp, by their number among all of a trace.
using WarpSteps = std::vector<std::vector<std::uint32_t>>;

// Where all warps make the same load at the same place, and only some find in L1 what they ask for, the warps
// take turns to be those.
void take_turns_to_miss(WarpSteps& warps, const std::vector<TracedStep>& steps);

// A place where all warps make the same load, in groups of which one warp each misses: its step there, and
// that of the others, if there are any.
struct Meeting {
  std::size_t place = 0;
  std::vector<std::uint8_t> group;      // of each warp
  std::vector<std::uint32_t> miss, hit; // of each group
};
// In the order of the places. Where one alone misses, all others find what it has brought; where several do,
// those that TracedStep::fetched_by says. `warps`: as they were traced, before they take turns.
std::vector<Meeting> meetings_of(const WarpSteps& warps, const std::vector<TracedStep>& steps);

// Of each step the first that is the same but for who has fetched.
std::vector<std::uint32_t> whoever_fetched(const std::vector<TracedStep>& steps);

} // namespace perfmodel
