// Whose turn it is of the warps of many schedulers: each issues when it is free and one of its warps is due,
// the one that it issued last as long as that can go on, else the youngest of those that are due (greedy,
// then youngest: R. Huerta et al., Analyzing Modern NVIDIA GPU Cores, MICRO 2025), or the one that has been
// due for longest. The youngest is taken to be the one with the highest number. Blocks of an SM come apart
// so: one waits for memory while another computes.
#pragma once

#include "agenda.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace perfmodel {

class WarpTurns {
public:
  // A scheduler has warps 0, 1, .., none of them due.
  WarpTurns(std::size_t schedulers, std::size_t warps, bool youngest_first = true)
      : warps_(warps), words_((warps + word_bits - 1) / word_bits), youngest_first_(youngest_first),
        dues_(schedulers * warps), wakes_(schedulers * warps), awake_(schedulers * words_),
        asleep_(schedulers * words_), held_(schedulers * words_), queues_(schedulers),
        schedulers_(schedulers) {}

  void set(std::size_t scheduler, std::size_t warp, double due) {
    dues_[scheduler * warps_ + warp] = due;
    sleep_until(scheduler, warp, due);
    drop(held_, scheduler, warp);
    update(scheduler);
  }
  // As the warp that the scheduler issued last.
  void set_first(std::size_t scheduler, std::size_t warp, double due) {
    queues_[scheduler].last = warp;
    set(scheduler, warp, due);
  }
  // A warp that is due waits for its scheduler's gate, with all others that do: until `open`, or as long as
  // the gate is moved on before one of them is chosen.
  void hold(std::size_t scheduler, std::size_t warp, double open) {
    add(held_, scheduler, warp);
    queues_[scheduler].holds = true;
    move_gate(scheduler, open);
  }
  void move_gate(std::size_t scheduler, double open) {
    if (!queues_[scheduler].holds) return;
    double* const wakes = wakes_.data() + scheduler * warps_;
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t held = held_[scheduler * words_ + w];
      for (std::uint64_t rest = held; rest != 0; rest &= rest - 1)
        wakes[w * word_bits + static_cast<std::size_t>(std::countr_zero(rest))] = open;
      asleep_[scheduler * words_ + w] |= held;
      awake_[scheduler * words_ + w] &= ~held;
      any |= held;
    }
    queues_[scheduler].holds = any != 0;
    if (any != 0) find_next_to_wake(scheduler);
    update(scheduler);
  }
  void clear(std::size_t scheduler, std::size_t warp) {
    if (!has(awake_, scheduler, warp) && !has(asleep_, scheduler, warp)) return;
    for (Bits* const set : {&awake_, &asleep_, &held_}) drop(*set, scheduler, warp);
    find_next_to_wake(scheduler);
    update(scheduler);
  }

  // The scheduler issues the warp, which is to be set or cleared then, and the next one at `free`.
  void issue(std::size_t scheduler, std::size_t warp, double free) {
    queues_[scheduler].last = warp;
    queues_[scheduler].free = free;
  }
  double free(std::size_t scheduler) const { return queues_[scheduler].free; }

  bool empty() const { return schedulers_.empty(); }
  struct Turn {
    double due; // of the warp; its scheduler may be free later, and its gate open
    std::size_t scheduler, warp;
    double now = 0;
  };
  Turn next() {
    const auto [time, scheduler] = schedulers_.next();
    Queue& queue = queues_[scheduler];
    if (time < queue.now) sleep_again(scheduler, time);
    queue.now = time;
    if (queue.wakes <= time) wake(scheduler);
    const std::size_t warp = has(awake_, scheduler, queue.last) ? queue.last : chosen_of(scheduler);
    return {dues_[scheduler * warps_ + warp], scheduler, warp, time};
  }

private:
  static constexpr std::size_t word_bits = 64;
  static constexpr double never = std::numeric_limits<double>::infinity();
  using Bits = std::vector<std::uint64_t>; // of each scheduler's warps, in whole words

  struct Queue {
    double free = 0, now = 0; // when it was asked last
    double wakes = never;     // the first of those asleep
    std::size_t last = 0;
    bool holds = false; // some warp, maybe
  };

  std::uint64_t& word(Bits& bits, std::size_t scheduler, std::size_t warp) {
    return bits[scheduler * words_ + warp / word_bits];
  }
  static std::uint64_t bit(std::size_t warp) { return std::uint64_t{1} << warp % word_bits; }
  void add(Bits& bits, std::size_t scheduler, std::size_t warp) { word(bits, scheduler, warp) |= bit(warp); }
  void drop(Bits& bits, std::size_t scheduler, std::size_t warp) {
    word(bits, scheduler, warp) &= ~bit(warp);
  }
  bool has(Bits& bits, std::size_t scheduler, std::size_t warp) {
    return (word(bits, scheduler, warp) & bit(warp)) != 0;
  }
  bool any(const Bits& bits, std::size_t scheduler) const {
    std::uint64_t all = 0;
    for (std::size_t w = 0; w < words_; ++w) all |= bits[scheduler * words_ + w];
    return all != 0;
  }
  template <class F> void for_each(const Bits& bits, std::size_t scheduler, F call) const {
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t rest = bits[scheduler * words_ + w]; rest != 0; rest &= rest - 1)
        call(w * word_bits + static_cast<std::size_t>(std::countr_zero(rest)));
  }

  void sleep_until(std::size_t scheduler, std::size_t warp, double time) {
    double& wakes = wakes_[scheduler * warps_ + warp];
    const bool was_first = has(asleep_, scheduler, warp) && wakes == queues_[scheduler].wakes;
    wakes = time;
    drop(awake_, scheduler, warp);
    add(asleep_, scheduler, warp);
    queues_[scheduler].wakes = std::min(queues_[scheduler].wakes, time);
    if (was_first) find_next_to_wake(scheduler);
  }
  void find_next_to_wake(std::size_t scheduler) {
    double first = never;
    for_each(asleep_, scheduler,
             [&](std::size_t warp) { first = std::min(first, wakes_[scheduler * warps_ + warp]); });
    queues_[scheduler].wakes = first;
  }
  // Those that are due by now.
  void wake(std::size_t scheduler) {
    Queue& queue = queues_[scheduler];
    double first = never;
    for (std::size_t w = 0; w < words_; ++w) {
      const double* const wakes = wakes_.data() + scheduler * warps_ + w * word_bits;
      std::uint64_t woken = 0; // without a branch for each: which of them wake is as good as random
      std::uint64_t& asleep = asleep_[scheduler * words_ + w];
      for (std::uint64_t rest = asleep; rest != 0; rest &= rest - 1) {
        const auto warp = static_cast<std::size_t>(std::countr_zero(rest));
        const bool due = wakes[warp] <= queue.now;
        woken |= static_cast<std::uint64_t>(due) << warp;
        first = std::min(first, due ? never : wakes[warp]);
      }
      asleep &= ~woken;
      awake_[scheduler * words_ + w] |= woken;
    }
    queue.wakes = first;
  }
  // A warp that was held for the gate may come to wait for something that is there before.
  void sleep_again(std::size_t scheduler, double time) {
    for_each(awake_, scheduler, [&](std::size_t warp) {
      const double wakes = wakes_[scheduler * warps_ + warp];
      if (wakes > time) sleep_until(scheduler, warp, wakes);
    });
  }
  // Of those that are awake, of which there is one.
  std::size_t chosen_of(std::size_t scheduler) const {
    std::size_t chosen = 0;
    if (youngest_first_) {
      for (std::size_t w = 0; w < words_; ++w)
        if (const std::uint64_t awake = awake_[scheduler * words_ + w]; awake != 0)
          chosen = w * word_bits + word_bits - 1 - static_cast<std::size_t>(std::countl_zero(awake));
      return chosen;
    }
    double first = never;
    for_each(awake_, scheduler, [&](std::size_t warp) { // of several the youngest
      const double due = dues_[scheduler * warps_ + warp];
      const bool longer = due <= first; // no branch: which of them is as good as random
      first = longer ? due : first;
      chosen = longer ? warp : chosen;
    });
    return chosen;
  }
  void update(std::size_t scheduler) {
    const Queue& queue = queues_[scheduler];
    double wakes = queue.wakes;
    if (queue.now > queue.free)
      for_each(awake_, scheduler,
               [&](std::size_t warp) { wakes = std::min(wakes, wakes_[scheduler * warps_ + warp]); });
    else if (any(awake_, scheduler))
      wakes = queue.free;
    if (wakes == never && !any(asleep_, scheduler)) return schedulers_.clear(scheduler);
    schedulers_.set(scheduler, std::max(wakes, queue.free));
  }

  std::size_t warps_, words_;
  bool youngest_first_;
  // By scheduler and warp: since when it waits, and when it wakes, which is then, or the gate's time where it
  // is held.
  std::vector<double> dues_, wakes_;
  Bits awake_, asleep_, held_; // a warp that is set is awake or asleep
  std::vector<Queue> queues_;
  Agenda schedulers_;
};

} // namespace perfmodel
