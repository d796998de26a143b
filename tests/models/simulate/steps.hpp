// Steps and blocks that the tests of the simulation are made of.
#pragma once

#include "models/simulate/sm_simulation.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace perfmodel {

inline WarpStep access(std::size_t unit, double cycles, double latency) {
  WarpStep step;
  step.uses[0] = {unit, cycles};
  step.used = 1;
  step.latency = latency;
  step.load = step.queued = true;
  return step;
}

inline BlockProgram block(WarpProgram program, std::size_t warps = 1) {
  return {{std::move(program)}, std::vector<std::size_t>(warps, 0)};
}

} // namespace perfmodel
