#include "thought_away.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace perfmodel {

namespace {

// What a block would ask for side by side where it asks for less as it is, since L1 has most: no more than
// that.
double asked_again(const BlockTrace& block, std::int16_t allocation) {
  const std::size_t slot =
      allocation < 0 ? block.read_sectors.size() - 1 : static_cast<std::size_t>(allocation);
  return block.least_read_sectors[slot] > 0
             ? std::min(1.0, block.read_sectors[slot] / block.least_read_sectors[slot])
             : 1;
}

} // namespace

std::vector<TracedStep> changed_steps(std::vector<TracedStep> steps, const BlockTrace& block, WhatIf what) {
  for (TracedStep& step : steps) {
    if (what == WhatIf::no_conflicts || what == WhatIf::coalesced) {
      if (step.space == Space::shared ? what == WhatIf::no_conflicts : step.space == Space::global)
        step.wavefronts = step.least_wavefronts, step.meeting = 0;
    }
    if (what == WhatIf::coalesced && step.space == Space::global) {
      const double share = step.loads ? asked_again(block, step.allocation) : 1;
      step.again = false; // other accesses would not have brought them
      step.sectors = static_cast<std::uint16_t>(std::lround(share * step.least_sectors));
      step.partial = 0;
      step.lines = static_cast<std::uint16_t>((step.sectors + 3) / 4);
    }
  }
  return steps;
}

MemoryShares changed_shares(MemoryShares shares, const BlockTrace& block, WhatIf what) {
  if (what == WhatIf::all_in_l2) std::fill(shares.missing.begin(), shares.missing.end(), 0.0);
  if (what != WhatIf::coalesced) return shares;
  for (std::vector<double>* list : {&shares.load_bytes, &shares.store_bytes})
    std::fill(list->begin(), list->end(), 1.0);
  // Fewer sectors are asked for, so that a larger share of them is not there yet; of those that the block has
  // had before none was missing.
  for (std::size_t i = 0; i < shares.missing.size(); ++i)
    if (block.read_sectors[i] > 0 && block.least_read_sectors[i] > 0) {
      const double missing = shares.fetched[i] * (block.read_sectors[i] - block.sectors_again[i]);
      shares.missing[i] =
          std::min(1.0, missing / std::min(block.read_sectors[i], block.least_read_sectors[i]));
    }
  return shares;
}

LaunchTraffic side_by_side_traffic(LaunchTraffic traffic) {
  traffic.streams_out = true;
  traffic.short_stretches = traffic.long_stretches = traffic.changed_beside = 0;
  traffic.stores_in_part = traffic.more_in_part = 0;
  traffic.loads_too = false;
  return traffic;
}

void free_barriers(TracedBlocks& blocks) {
  for (WarpStep& step : blocks.steps) step.barrier = false;
}

} // namespace perfmodel
