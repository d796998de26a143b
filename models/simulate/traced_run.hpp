// Traced blocks, simulated. Of trips that were left out the last ones that were run tell what each would have
// taken: the blocks are simulated with these and without.
#pragma once

#include "step_cost.hpp"
#include "warp_watch.hpp"

#include <vector>

namespace perfmodel {

struct TracedRun {
  const KernelCosts& costs;
  const KernelCode& code;
  const std::vector<TracedStep>& steps;
  const std::vector<const BlockTrace*>& kinds;
  const MemoryShares& shares;
  bool by_registers = false;
  std::vector<std::size_t> order; // of the kinds, as they are launched
  std::uint64_t most_steps = TracedBlocks{}.most_steps;
  bool free_barriers = false;
  WarpWatch* watch = nullptr; // of the first blocks of an SM, which are simulated again for it
};

// `blocks` for each SM, of which it holds `resident` at a time.
SmRun run_traced(const TracedRun& traced, std::size_t resident, double blocks);

// Whether a unit that all SMs share may bind such a run: not where another has clearly more to do than any of
// those. It need not be simulated to know that.
bool shared_may_bind(const TracedRun& traced, std::size_t resident, double blocks);

// Whether blocks waited for what all SMs share: that was busy for most of the time, and nothing of their own
// SM for longer.
bool waits_for_the_device(const SmMachine& machine, const SmRun& run);

} // namespace perfmodel
