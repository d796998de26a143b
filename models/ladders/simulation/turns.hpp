// A unit of an SM that takes the accesses of its schedulers in turns, one of each, whole. An access waits for
// those of its own scheduler and for as many of each other, less half of one, as that is on average half
// done; what comes later is as if it came after. Own measurement on an H200, 2026-11-22: a load of shared
// memory takes 45 cycles; beside 8 loads of another scheduler, of 32 wavefronts and 70 cycles each, 35 more,
// half of one of them, and not what all 8 take.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace perfmodel {

class Turns {
public:
  explicit Turns(std::size_t schedulers) : queues_(schedulers) {}

  // When an access is done that comes at `time` and takes so many cycles, above 0.
  double serve(std::size_t scheduler, double time, double cycles) {
    advance(time);
    Queue& own = queues_[scheduler];
    own.work += cycles;
    own.access = cycles;
    const double turns = own.work / own.access - 0.5; // the one in service is half done
    double ended = now_ + own.work;
    for (const Queue& other : queues_)
      if (&other != &own) ended += std::min(other.work, turns * other.access);
    return ended;
  }

private:
  struct Queue {
    double work = 0, access = 1; // cycles: not yet done, and of one access
  };

  void advance(double time) {
    double left = time - now_;
    now_ = std::max(now_, time);
    while (left > 0) {
      double round = 0, turns = std::numeric_limits<double>::infinity();
      for (const Queue& queue : queues_)
        if (queue.work > 0) round += queue.access, turns = std::min(turns, queue.work / queue.access);
      if (round == 0) return;
      const bool ends = left < turns * round;
      if (ends) turns = left / round;
      for (Queue& queue : queues_) queue.work = std::max(0.0, queue.work - turns * queue.access);
      if (ends) return;
      left -= turns * round;
      for (Queue& queue : queues_)
        if (queue.work < 1e-9 * queue.access) queue.work = 0;
    }
  }

  double now_ = 0;
  std::vector<Queue> queues_; // of each scheduler
};

} // namespace perfmodel
