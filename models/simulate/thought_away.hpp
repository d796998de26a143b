// A launch with a part of what it does, or of what the hardware charges, thought away.
#pragma once

#include "block_trace.hpp"
#include "kernel_costs.hpp"
#include "step_cost.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace perfmodel {

// A part of the hardware or of the access pattern that is thought away, so that its cost shows.
enum class WhatIf : std::uint8_t {
  as_it_is,
  no_conflicts,
  coalesced,
  all_in_l2,
  free_barriers,
  twice_the_warps
};
constexpr auto names(WhatIf) {
  return std::to_array<std::string_view>({"as it is", "no bank conflicts", "accesses side by side",
                                          "all loads hit L2", "barriers cost nothing",
                                          "twice the warps of an SM"});
}

// The steps of a trace without it; `block` shows how many sectors are asked for as it is.
std::vector<TracedStep> changed_steps(std::vector<TracedStep> steps, const BlockTrace& block, WhatIf what);

// What of the accesses then reaches device memory.
MemoryShares changed_shares(MemoryShares shares, const BlockTrace& block, WhatIf what);

// Accesses side by side leave nothing in pieces: all streams to device memory in the order of the blocks.
LaunchTraffic side_by_side_traffic(LaunchTraffic traffic);

// Warps go on at once where they arrive.
void free_barriers(TracedBlocks& blocks);

} // namespace perfmodel
