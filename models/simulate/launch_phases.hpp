// Parts of a launch that follow one another. Blocks are launched by their numbers: where many that have much
// to do stand side by side, and many that have little, SMs have the ones and then the others, as where a grid
// is larger than there is work. Spread evenly among the others, those that have much to do would never fill
// an SM, and each SM would seem to have fewer of them at a time than it has.
#pragma once

#include "block_samples.hpp"
#include "sm_simulation.hpp"

#include <vector>

namespace perfmodel {

struct LaunchPhase {
  std::vector<std::size_t> order; // of its kinds, as they are launched
  double blocks = 0;
};

// Of a grid on so many SMs. One, where its kinds do not stand apart: each a row of blocks of its own, of
// which each SM has one, with four times the work of the others.
std::vector<LaunchPhase> launch_phases(const Shape& grid, const std::vector<BlockKind>& kinds, double sms);

// The blocks of `then` are launched when the last block of `first` has been.
SmRun followed_by(const SmRun& first, const SmRun& then);

} // namespace perfmodel
