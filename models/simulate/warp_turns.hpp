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
      : warps_((warps + group - 1) / group * group), youngest_first_(youngest_first),
        dues_(schedulers * warps_), wakes_(schedulers * warps_, never), held_(schedulers),
        queues_(schedulers), schedulers_(schedulers) {}

  void set(std::size_t scheduler, std::size_t warp, double due) {
    dues_[scheduler * warps_ + warp] = due;
    wakes_[scheduler * warps_ + warp] = due;
    if (warp >= used_) used_ = warp / group * group + group;
    if (queues_[scheduler].holds) std::erase(held_[scheduler], warp);
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
    std::vector<std::size_t>& held = held_[scheduler];
    if (std::find(held.begin(), held.end(), warp) == held.end()) held.push_back(warp);
    queues_[scheduler].holds = true;
    move_gate(scheduler, open);
  }
  void move_gate(std::size_t scheduler, double open) {
    if (!queues_[scheduler].holds) return;
    for (const std::size_t warp : held_[scheduler]) wakes_[scheduler * warps_ + warp] = open;
    queues_[scheduler].holds = !held_[scheduler].empty();
    update(scheduler);
  }
  void clear(std::size_t scheduler, std::size_t warp) {
    double& wakes = wakes_[scheduler * warps_ + warp];
    if (wakes == never) return;
    wakes = never;
    std::erase(held_[scheduler], warp);
    update(scheduler);
  }

  // The scheduler issues the warp, which is to be set or cleared then, and the next one at `free`.
  void issue(std::size_t scheduler, std::size_t warp, double free) {
    queues_[scheduler].last = warp;
    queues_[scheduler].free = free;
  }
  double free(std::size_t scheduler) const { return queues_[scheduler].free; }
  // Another warp is to have the number of this one, if that is the one that it issued last.
  void forget(std::size_t scheduler, std::size_t warp) {
    if (queues_[scheduler].last == warp) queues_[scheduler].last = nobody;
  }

  bool empty() const { return schedulers_.empty(); }
  struct Turn {
    double due; // of the warp; its scheduler may be free later, and its gate open
    std::size_t scheduler, warp;
    double now = 0;
  };
  [[gnu::always_inline]] Turn next() const {
    const auto [time, scheduler] = schedulers_.next();
    const std::size_t last = queues_[scheduler].last, first = scheduler * warps_;
    const std::size_t warp =
        last != nobody && wakes_[first + last] <= time ? last : chosen_of(scheduler, time);
    return {queues_[scheduler].holds ? dues_[first + warp] : wakes_[first + warp], scheduler, warp, time};
  }

private:
  static constexpr std::size_t group = 8; // warps that are looked at together, without a branch for each
  static constexpr std::size_t nobody = ~std::size_t{0};
  static constexpr double never = std::numeric_limits<double>::infinity();

  struct Queue {
    double free = 0, wakes = never; // the first of its warps
    std::size_t last = 0;
    bool holds = false; // some warp, maybe
  };

  // Of eight warps a bit for each of which that holds.
  template <class F> static unsigned bits_of(const double* wakes, F holds) {
    const auto bit = [&](unsigned i) { return static_cast<unsigned>(holds(wakes[i])) << i; };
    return bit(0) | bit(1) | bit(2) | bit(3) | bit(4) | bit(5) | bit(6) | bit(7);
  }
  static unsigned awake(const double* wakes, double time) {
    return bits_of(wakes, [=](double one) { return one <= time; });
  }
  // The youngest of which that holds, of which there is one.
  template <class F> std::size_t youngest(const double* wakes, F holds) const {
    std::size_t first = used_ - group;
    unsigned bits = bits_of(wakes + first, holds);
    while (bits == 0 && first > 0) bits = bits_of(wakes + (first -= group), holds);
    return first + static_cast<std::size_t>(std::bit_width(bits)) - 1;
  }
  // Of the warps that are awake, of which there is one.
  std::size_t chosen_of(std::size_t scheduler, double time) const {
    const double* const wakes = wakes_.data() + scheduler * warps_;
    if (youngest_first_) return youngest(wakes, [=](double one) { return one <= time; });
    if (queues_[scheduler].holds) return longest_due(scheduler, time);
    const double first = queues_[scheduler].wakes;
    return youngest(wakes, [=](double one) { return one == first; });
  }
  std::size_t longest_due(std::size_t scheduler, double time) const {
    std::size_t chosen = 0;
    double longest = never;
    const double* const dues = dues_.data() + scheduler * warps_;
    for (std::size_t first = 0; first < used_; first += group)
      for (unsigned rest = awake(wakes_.data() + scheduler * warps_ + first, time); rest != 0;
           rest &= rest - 1) {
        const std::size_t warp = first + static_cast<std::size_t>(std::countr_zero(rest));
        if (dues[warp] > longest) continue;
        longest = dues[warp]; // of several the youngest
        chosen = warp;
      }
    return chosen;
  }
  static double earlier(double a, double b) { return a < b ? a : b; }
  double first_to_wake(const double* wakes) const {
    double a = never, b = never, c = never, d = never; // side by side
    for (const double* const end = wakes + used_; wakes != end; wakes += 4) {
      a = earlier(wakes[0], a), b = earlier(wakes[1], b);
      c = earlier(wakes[2], c), d = earlier(wakes[3], d);
    }
    return earlier(earlier(a, b), earlier(c, d));
  }
  void update(std::size_t scheduler) {
    const double wakes = queues_[scheduler].wakes = first_to_wake(wakes_.data() + scheduler * warps_);
    if (wakes == never) return schedulers_.clear(scheduler);
    schedulers_.set(scheduler, std::max(wakes, queues_[scheduler].free));
  }

  std::size_t warps_;    // of a scheduler, in whole groups
  std::size_t used_ = 0; // of those: up to the last that was ever due
  bool youngest_first_;
  // By scheduler and warp: since when it waits, and when it wakes, which is then, or the gate's time where it
  // is held.
  std::vector<double> dues_, wakes_;
  std::vector<std::vector<std::size_t>> held_; // of each scheduler
  std::vector<Queue> queues_;
  Agenda schedulers_;
};

} // namespace perfmodel
