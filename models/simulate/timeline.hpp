// A watched SM in slices of time: how many warps it holds, what its schedulers issue, and what the warps wait
// for that do not issue. Of the SM, of each block, and of the warps of the first one.
#pragma once

#include "warp_watch.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace perfmodel {

struct TimeSlice {
  double from = 0, to = 0;                  // cycles from the first launch on
  double warp_cycles = 0;                   // of resident warps
  double issued = 0, issue_cycles = 0;      // instructions; cycles of schedulers' slots that they take
  std::array<double, stall_count> stalls{}; // cycles of warps, by Stall
  // What most of the warps' cycles are; nullopt: no warp is there, or none waits.
  std::optional<Stall> mostly() const;
};

struct TimelineRow {
  std::optional<std::size_t> block, warp; // the SM; a block of it; a warp of that block
  double start = 0, end = 0;              // cycles; the end may lie behind the last slice
  std::vector<TimeSlice> slices;
  TimeSlice all() const;
};

// From the first launch until the blocks have ended twice over that the SM takes at once; or, where there are
// no more, until they have ended.
std::vector<TimelineRow> timeline(const WarpWatch& watch, std::size_t resident, std::size_t slices);

} // namespace perfmodel
