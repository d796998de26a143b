// Whose turn it is of the warps of many schedulers: each issues when it is free and one of its warps is due,
// the one that it issued last as long as that can go on, else the youngest of those that are due (greedy,
// then youngest: R. Huerta et al., Analyzing Modern NVIDIA GPU Cores, MICRO 2025). The youngest is taken to
// be the one with the highest number. Blocks of an SM come apart so: one waits for memory while another
// computes.
#pragma once

#include "agenda.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

class WarpTurns {
public:
  // A scheduler has warps 0, 1, .., none of them due.
  WarpTurns(std::size_t schedulers, std::size_t warps)
      : waiting_(schedulers, Agenda(warps)), words_(warps / 64 + 1), ready_(schedulers * words_),
        free_(schedulers), last_(schedulers, 0), due_(schedulers * warps), warps_(warps),
        schedulers_(schedulers) {}

  void set(std::size_t scheduler, std::size_t warp, double due) {
    word(scheduler, warp) &= ~bit(warp);
    due_[scheduler * warps_ + warp] = due;
    waiting_[scheduler].set(warp, due);
    update(scheduler);
  }
  // As the warp that the scheduler issued last.
  void set_first(std::size_t scheduler, std::size_t warp, double due) {
    last_[scheduler] = warp;
    set(scheduler, warp, due);
  }
  void clear(std::size_t scheduler, std::size_t warp) {
    word(scheduler, warp) &= ~bit(warp);
    waiting_[scheduler].clear(warp);
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
  Turn next() {
    const auto [time, scheduler] = schedulers_.next();
    Agenda& waiting = waiting_[scheduler];
    while (!waiting.empty() && waiting.next().time <= time) {
      const std::size_t warp = waiting.next().warp;
      waiting.clear(warp);
      word(scheduler, warp) |= bit(warp);
    }
    std::size_t chosen = last_[scheduler];
    if ((word(scheduler, chosen) & bit(chosen)) == 0) chosen = youngest(scheduler);
    return {due_[scheduler * warps_ + chosen], scheduler, chosen};
  }

private:
  static std::uint64_t bit(std::size_t warp) { return std::uint64_t{1} << warp % 64; }
  std::uint64_t& word(std::size_t scheduler, std::size_t warp) {
    return ready_[scheduler * words_ + warp / 64];
  }
  // Of those that are due, of which there is one.
  std::size_t youngest(std::size_t scheduler) const {
    std::size_t last = words_;
    while (ready_[scheduler * words_ + --last] == 0) continue;
    return last * 64 + 63 - static_cast<std::size_t>(__builtin_clzll(ready_[scheduler * words_ + last]));
  }
  bool any_ready(std::size_t scheduler) const {
    const auto first = ready_.begin() + static_cast<std::ptrdiff_t>(scheduler * words_);
    return std::any_of(first, first + static_cast<std::ptrdiff_t>(words_),
                       [](std::uint64_t ready) { return ready != 0; });
  }
  void update(std::size_t scheduler) {
    const Agenda& waiting = waiting_[scheduler];
    if (any_ready(scheduler)) return schedulers_.set(scheduler, free_[scheduler]);
    if (waiting.empty()) return schedulers_.clear(scheduler);
    schedulers_.set(scheduler, std::max(waiting.next().time, free_[scheduler]));
  }

  std::vector<Agenda> waiting_; // of each scheduler: warps that are not due yet
  std::size_t words_;
  std::vector<std::uint64_t> ready_; // of each scheduler a bit for each warp that is due
  std::vector<double> free_;
  std::vector<std::size_t> last_;
  std::vector<double> due_;
  std::size_t warps_;
  Agenda schedulers_;
};

} // namespace perfmodel
