// A unit of an SM that takes the schedulers' accesses in turns: each scheduler's in their order, those of
// several at equal rates. One that comes to such a unit has to wait for its own scheduler's, and for as much
// work of each other scheduler at most; what comes later is as if it came after. Own measurement on an H200,
// 2026-11-22: a load of shared memory takes 45 cycles; beside 8 loads of another scheduler, of 32 wavefronts
// each, 35 more, half of one of them, and not what all 8 take.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace perfmodel {

class Turns {
public:
  explicit Turns(std::size_t schedulers) : work_(schedulers) {}

  // When so many cycles of work are done that come at `time`.
  double serve(std::size_t scheduler, double time, double cycles) {
    advance(time);
    work_[scheduler] += cycles;
    double ended = now_;
    for (const double work : work_) ended += std::min(work, work_[scheduler]);
    return ended;
  }

private:
  void advance(double time) {
    double left = time - now_;
    now_ = std::max(now_, time);
    while (left > 0) {
      double waiting = 0, least = std::numeric_limits<double>::infinity();
      for (const double work : work_)
        if (work > 0) waiting += 1, least = std::min(least, work);
      if (waiting == 0) return;
      const double each = std::min(least, left / waiting);
      for (double& work : work_) work = std::max(0.0, work - each);
      left -= each * waiting;
    }
  }

  double now_ = 0;
  std::vector<double> work_; // of each scheduler, not yet done
};

} // namespace perfmodel
