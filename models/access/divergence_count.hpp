// What the warps of a launch do at a branch, a switch or a loop: counted warp by warp.
#pragma once

#include "launch.hpp"

namespace perfmodel {

// A branch: `predicate` (if), the way of a switch that a lane takes (`path`), how often it does the work
// (`trips`). Empty expressions are a branch that all take, one way, once.
struct Branching {
  Expression predicate, path, trips;
  bool otherwise = true; // lanes that do not take the `if` have as much work of their own
};

// Sums over warps and steps; doubles, exact below 2^53.
struct DivergenceCount {
  double warp_steps = 0, active_warp_steps = 0; // all; with a lane that takes the branch
  double divergent = 0;                         // whose lanes do not all do the same
  double least_divergent = 0; // if each block's active threads were neighbours (a branch alone)
  double passes = 0;          // trips of a warp: for each way, those of its slowest lane
  double lane_passes = 0;     // trips of lanes
  double mean_passes = 0;     // of a warp whose working lanes all do the mean work, in one way
  DivergenceCount& operator+=(const DivergenceCount& other);
};

// One count for each step i = 0 .. steps - 1. Throws InputError.
std::vector<DivergenceCount> count_divergence(LaunchWalk walk, const Branching& branching,
                                              std::int64_t steps);

} // namespace perfmodel
