// What happens to the warps of one simulated SM, when: for who wants to look on. Nobody does in an ordinary
// run, which then takes no longer.
#pragma once

#include "sm_simulation.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

// Cycles in which a warp waits for one reason.
struct WarpSpan {
  std::uint32_t block = 0,
                warp = 0; // the block's place in the order of launches of the SM; the warp within it
  Stall why = Stall::wait;
  double from = 0, to = 0;
};
struct WarpIssue {
  std::uint32_t block = 0, warp = 0;
  double time = 0, cycles = 0; // of its scheduler's slot
};
struct WatchedBlock {
  double start = 0, end = 0; // from its slot's being free to its last store's having left
};

struct WarpWatch {
  std::size_t sm = 0; // that is watched
  std::size_t schedulers = 1;
  std::vector<WatchedBlock> blocks;
  std::vector<WarpSpan> spans;
  std::vector<WarpIssue> issues;

  // The slot, of all SMs, takes the next block.
  void launched(std::size_t slot, double time) {
    if (of_slot_.size() <= slot) of_slot_.resize(slot + 1);
    of_slot_[slot] = static_cast<std::uint32_t>(blocks.size());
    blocks.push_back({time, time});
  }
  void waited(std::size_t slot, std::size_t warp, Stall why, double from, double to) {
    if (to > from) spans.push_back({of_slot_[slot], static_cast<std::uint32_t>(warp), why, from, to});
  }
  void issued(std::size_t slot, std::size_t warp, double time, double cycles) {
    issues.push_back({of_slot_[slot], static_cast<std::uint32_t>(warp), time, cycles});
  }
  // Its last warp has left, its stores later.
  void left(std::size_t slot, std::size_t warps, double time, double end) {
    for (std::size_t w = 0; w < warps; ++w) waited(slot, w, Stall::drain, time, end);
    blocks[of_slot_[slot]].end = end;
  }

private:
  std::vector<std::uint32_t> of_slot_; // its block
};

} // namespace perfmodel
