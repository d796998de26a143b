// Whose turn it is of the warps of many schedulers: each issues when it is free and one of its warps is due,
// the one that it issued last as long as that can go on, else the youngest of those that are due (greedy,
// then youngest: R. Huerta et al., Analyzing Modern NVIDIA GPU Cores, MICRO 2025), or the one that has been
// due for longest. The youngest is taken to be the one with the highest number. Blocks of an SM come apart
// so: one waits for memory while another computes.
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
  WarpTurns(std::size_t schedulers, std::size_t warps, bool youngest_first = true)
      : waiting_(schedulers, Agenda(warps)), words_((warps + 63) / 64), ready_(schedulers * words_),
        held_(schedulers * words_), gate_(schedulers), free_(schedulers), last_(schedulers, 0),
        due_(schedulers * warps), warps_(warps), youngest_first_(youngest_first), schedulers_(schedulers) {}

  void set(std::size_t scheduler, std::size_t warp, double due) {
    word(scheduler, warp) &= ~bit(warp);
    held_[scheduler * words_ + warp / 64] &= ~bit(warp);
    due_[scheduler * warps_ + warp] = due;
    waiting_[scheduler].set(warp, due);
    update(scheduler);
  }
  // As the warp that the scheduler issued last.
  void set_first(std::size_t scheduler, std::size_t warp, double due) {
    last_[scheduler] = warp;
    set(scheduler, warp, due);
  }
  // A warp that is due waits for its scheduler's gate, with all others that do: until `open`, or as long as
  // the gate is moved on before one of them is chosen.
  void hold(std::size_t scheduler, std::size_t warp, double open) {
    word(scheduler, warp) &= ~bit(warp);
    held_[scheduler * words_ + warp / 64] |= bit(warp);
    move_gate(scheduler, open);
  }
  void move_gate(std::size_t scheduler, double open) {
    gate_[scheduler] = open;
    update(scheduler);
  }
  void clear(std::size_t scheduler, std::size_t warp) {
    word(scheduler, warp) &= ~bit(warp);
    held_[scheduler * words_ + warp / 64] &= ~bit(warp);
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
    double due; // of the warp; its scheduler may be free later, and its gate open
    std::size_t scheduler, warp;
    double now = 0;
  };
  Turn next() {
    const auto [time, scheduler] = schedulers_.next();
    Agenda& waiting = waiting_[scheduler];
    while (!waiting.empty() && waiting.next().time <= time) {
      const std::size_t warp = waiting.next().warp;
      waiting.clear(warp);
      word(scheduler, warp) |= bit(warp);
    }
    const bool open = gate_[scheduler] <= time;
    std::size_t chosen = last_[scheduler];
    if ((due_bits(scheduler, chosen / 64, open) & bit(chosen)) == 0)
      chosen = youngest_first_ ? youngest(scheduler, open) : longest(scheduler, open);
    return {due_[scheduler * warps_ + chosen], scheduler, chosen, time};
  }

private:
  static std::uint64_t bit(std::size_t warp) { return std::uint64_t{1} << warp % 64; }
  std::uint64_t& word(std::size_t scheduler, std::size_t warp) {
    return ready_[scheduler * words_ + warp / 64];
  }
  // Of those that are due, with those behind the gate where it is open.
  std::uint64_t due_bits(std::size_t scheduler, std::size_t word, bool open) const {
    const std::size_t at = scheduler * words_ + word;
    return ready_[at] | (open ? held_[at] : 0);
  }
  // There is one.
  std::size_t youngest(std::size_t scheduler, bool open) const {
    std::size_t last = words_;
    while (due_bits(scheduler, --last, open) == 0) continue;
    return last * 64 + 63 - static_cast<std::size_t>(__builtin_clzll(due_bits(scheduler, last, open)));
  }
  // The one that has been due for longest, likewise.
  std::size_t longest(std::size_t scheduler, bool open) const {
    std::size_t best = youngest(scheduler, open);
    for (std::size_t word = 0; word < words_; ++word)
      for (std::uint64_t bits = due_bits(scheduler, word, open); bits != 0; bits &= bits - 1) {
        const std::size_t warp = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
        if (due_[scheduler * warps_ + warp] < due_[scheduler * warps_ + best]) best = warp;
      }
    return best;
  }
  bool any(const std::vector<std::uint64_t>& of, std::size_t scheduler) const {
    const auto first = of.begin() + static_cast<std::ptrdiff_t>(scheduler * words_);
    return std::any_of(first, first + static_cast<std::ptrdiff_t>(words_),
                       [](std::uint64_t bits) { return bits != 0; });
  }
  void update(std::size_t scheduler) {
    const Agenda& waiting = waiting_[scheduler];
    if (any(ready_, scheduler)) return schedulers_.set(scheduler, free_[scheduler]);
    const bool held = any(held_, scheduler);
    if (waiting.empty() && !held) return schedulers_.clear(scheduler);
    double next = waiting.empty() ? gate_[scheduler] : waiting.next().time;
    if (held) next = std::min(next, gate_[scheduler]);
    schedulers_.set(scheduler, std::max(next, free_[scheduler]));
  }

  std::vector<Agenda> waiting_; // of each scheduler: warps that are not due yet
  std::size_t words_;
  std::vector<std::uint64_t> ready_, held_; // of each scheduler a bit for each warp that is due, or held
  std::vector<double> gate_;
  std::vector<double> free_;
  std::vector<std::size_t> last_;
  std::vector<double> due_;
  std::size_t warps_;
  bool youngest_first_;
  Agenda schedulers_;
};

} // namespace perfmodel
