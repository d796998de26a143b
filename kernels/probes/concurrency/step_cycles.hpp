// Cycles of a step of a chain, of which each needs the result of the one before: what a long run takes beyond
// a short one leaves out what both have in common, the clock reads and the start.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/report.hpp"

#include <functional>

namespace perfmodel::kernels {

struct ChainRuns {
  int brief, lengthy, steps; // trips of a short and of a long run; steps of a trip
};

// `cycles` of a run of so many trips. 11 samples, in cycles a step, with the clock of each.
inline Measurement cycles_of_step(Session& session, const ChainRuns& runs,
                                  const std::function<double(int trips)>& cycles) {
  Measurement step;
  Buffer<ClockReading> clock(1);
  for (int i = -2; i < 11; ++i) { // two to warm the instruction cache
    const double difference = cycles(runs.lengthy) - cycles(runs.brief);
    if (i < 0) continue;
    step.values.push_back(difference / ((runs.lengthy - runs.brief) * runs.steps));
    read_clock(clock.data(), session.stream);
    session.stream.synchronize();
    step.sm_clock.push_back(clock.to_host()[0].hertz());
  }
  return step;
}

} // namespace perfmodel::kernels
