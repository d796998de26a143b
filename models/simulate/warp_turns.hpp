// Whose turn it is of the warps of many schedulers: each issues when it is free and one of its warps is due,
// the one that it issued last as long as that can go on, else the one that has been due for longest (greedy,
// then oldest: what the compiler counts on where it keeps an operand for the next instruction).
#pragma once

#include "agenda.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perfmodel {

class WarpTurns {
public:
  // A scheduler has warps 0, 1, .., none of them due.
  WarpTurns(std::size_t schedulers, std::size_t warps)
      : of_scheduler_(schedulers, Agenda(warps)), free_(schedulers), last_(schedulers, 0),
        schedulers_(schedulers) {}

  void set(std::size_t scheduler, std::size_t warp, double due) {
    of_scheduler_[scheduler].set(warp, due);
    update(scheduler);
  }
  // Before all that are due at that time and were not set first, too.
  void set_first(std::size_t scheduler, std::size_t warp, double due) {
    of_scheduler_[scheduler].set_first(warp, due);
    update(scheduler);
  }
  void clear(std::size_t scheduler, std::size_t warp) {
    of_scheduler_[scheduler].clear(warp);
    update(scheduler);
  }

  // The scheduler issues the warp, which is to be set or cleared then, and the next one at `free`.
  void issue(std::size_t scheduler, std::size_t warp, double free) {
    last_[scheduler] = warp;
    free_[scheduler] = free;
  }
  double free(std::size_t scheduler) const { return free_[scheduler]; }

  bool empty() const { return schedulers_.empty(); }
  struct Turn {
    double due; // of the warp; its scheduler may be free later
    std::size_t scheduler, warp;
  };
  Turn next() const {
    const auto [time, scheduler] = schedulers_.next();
    const Agenda& warps = of_scheduler_[scheduler];
    if (const double due = warps.due(last_[scheduler]); due <= time)
      return {due, scheduler, last_[scheduler]};
    const Agenda::Entry first = warps.next();
    return {first.time, scheduler, first.warp};
  }

private:
  void update(std::size_t scheduler) {
    const Agenda& warps = of_scheduler_[scheduler];
    if (warps.empty()) return schedulers_.clear(scheduler);
    schedulers_.set(scheduler, std::max(warps.next().time, free_[scheduler]));
  }

  std::vector<Agenda> of_scheduler_;
  std::vector<double> free_;
  std::vector<std::size_t> last_;
  Agenda schedulers_;
};

} // namespace perfmodel
