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
      : warps_(warps), youngest_first_(youngest_first), places_(schedulers * warps, nowhere),
        wakes_(schedulers * warps), entries_(schedulers * warps), queues_(schedulers),
        schedulers_(schedulers) {}

  void set(std::size_t scheduler, std::size_t warp, double due) {
    const std::size_t entry = entry_of(scheduler, warp);
    wakes_[entry] = due;
    entries_[entry].due = due;
    entries_[entry].held = false;
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
    entries_[entry_of(scheduler, warp)].held = true;
    queues_[scheduler].holds = true;
    move_gate(scheduler, open);
  }
  void move_gate(std::size_t scheduler, double open) {
    if (!queues_[scheduler].holds) return;
    bool holds = false;
    const std::size_t first = scheduler * warps_;
    for (std::size_t i = first; i < first + queues_[scheduler].size; ++i)
      if (entries_[i].held) wakes_[i] = open, holds = true;
    queues_[scheduler].holds = holds;
    update(scheduler);
  }
  void clear(std::size_t scheduler, std::size_t warp) {
    std::uint32_t& place = places_[scheduler * warps_ + warp];
    if (place == nowhere) return;
    const std::size_t first = scheduler * warps_, last = first + --queues_[scheduler].size;
    wakes_[first + place] = wakes_[last];
    entries_[first + place] = entries_[last];
    places_[first + entries_[last].warp] = place;
    place = nowhere; // after the move: it may have been the last itself
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
  Turn next() const {
    const auto [time, scheduler] = schedulers_.next();
    const std::size_t first = scheduler * warps_;
    const Queue& queue = queues_[scheduler];
    const std::uint32_t last = places_[first + queue.last];
    const bool goes_on = last != nowhere && wakes_[first + last] <= time;
    const Entry& chosen = goes_on ? entries_[first + last] : chosen_of(scheduler, time);
    return {chosen.due, scheduler, chosen.warp, time};
  }

private:
  struct Entry {
    double due = 0; // since when it waits
    std::uint32_t warp = 0;
    bool held = false;
  };
  struct Queue {
    double free = 0;
    std::size_t last = 0, size = 0;
    bool holds = false; // some warp, maybe
  };
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  static bool goes_before(const Entry& a, const Entry& b) {
    return a.due == b.due ? a.warp > b.warp : a.due < b.due;
  }
  // Of its warps that wake by `time`, of which there is one.
  const Entry& chosen_of(std::size_t scheduler, double time) const {
    const std::size_t first = scheduler * warps_, end = first + queues_[scheduler].size;
    if (youngest_first_) { // without a branch for each: which of them wake is as good as random
      std::uint32_t youngest = 0;
      for (std::size_t i = first; i < end; ++i)
        youngest = std::max(youngest, wakes_[i] <= time ? entries_[i].warp : 0);
      return entries_[first + places_[first + youngest]];
    }
    std::size_t chosen = end;
    for (std::size_t i = first; i < end; ++i)
      if (wakes_[i] <= time && (chosen == end || goes_before(entries_[i], entries_[chosen]))) chosen = i;
    return entries_[chosen];
  }
  // Where the warp's is among all entries: of a warp that has none behind the last of its scheduler.
  std::size_t entry_of(std::size_t scheduler, std::size_t warp) {
    const std::size_t first = scheduler * warps_;
    std::uint32_t& place = places_[first + warp];
    if (place == nowhere) {
      place = static_cast<std::uint32_t>(queues_[scheduler].size++);
      entries_[first + place].warp = static_cast<std::uint32_t>(warp);
    }
    return first + place;
  }
  void update(std::size_t scheduler) {
    const Queue& queue = queues_[scheduler];
    if (queue.size == 0) return schedulers_.clear(scheduler);
    const double* const first = wakes_.data() + scheduler * warps_;
    double wakes = first[0];
    for (std::size_t i = 1; i < queue.size && wakes > queue.free; ++i) wakes = std::min(wakes, first[i]);
    schedulers_.set(scheduler, std::max(wakes, queue.free));
  }

  std::size_t warps_;
  bool youngest_first_;
  // Of each scheduler, in any order: those of its warps that are set.
  std::vector<std::uint32_t> places_; // of each warp, among them
  std::vector<double> wakes_;         // when it is due, or the gate's time, where it is held
  std::vector<Entry> entries_;
  std::vector<Queue> queues_;
  Agenda schedulers_;
};

} // namespace perfmodel
