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
        entries_(schedulers * warps), queues_(schedulers), schedulers_(schedulers) {}

  void set(std::size_t scheduler, std::size_t warp, double due) {
    Entry& entry = entry_of(scheduler, warp);
    entry = {.wakes = due, .due = due, .warp = entry.warp, .held = false};
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
    entry_of(scheduler, warp).held = true;
    queues_[scheduler].holds = true;
    move_gate(scheduler, open);
  }
  void move_gate(std::size_t scheduler, double open) {
    if (!queues_[scheduler].holds) return;
    bool holds = false;
    Entry* const first = entries_.data() + scheduler * warps_;
    for (std::size_t i = 0; i < queues_[scheduler].size; ++i)
      if (first[i].held) first[i].wakes = open, holds = true;
    queues_[scheduler].holds = holds;
    update(scheduler);
  }
  void clear(std::size_t scheduler, std::size_t warp) {
    std::uint32_t& place = places_[scheduler * warps_ + warp];
    if (place == nowhere) return;
    Entry* const first = entries_.data() + scheduler * warps_;
    const Entry& moved = first[place] = first[--queues_[scheduler].size];
    places_[scheduler * warps_ + moved.warp] = place;
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
    const Entry* const first = entries_.data() + scheduler * warps_;
    const Queue& queue = queues_[scheduler];
    const std::uint32_t last = places_[scheduler * warps_ + queue.last];
    const Entry* chosen = last != nowhere && first[last].wakes <= time ? first + last : nullptr;
    if (chosen == nullptr)
      for (const Entry* entry = first; entry != first + queue.size; ++entry)
        if (entry->wakes <= time && (chosen == nullptr || goes_before(*entry, *chosen))) chosen = entry;
    return {chosen->due, scheduler, chosen->warp, time};
  }

private:
  struct Entry {
    double wakes = 0, due = 0; // the gate's time, where it is held; since when it waits
    std::size_t warp = 0;
    bool held = false;
  };
  struct Queue {
    double free = 0;
    std::size_t last = 0, size = 0;
    bool holds = false; // some warp, maybe
  };
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  bool goes_before(const Entry& a, const Entry& b) const {
    if (youngest_first_ || a.due == b.due) return a.warp > b.warp;
    return a.due < b.due;
  }
  // Of a warp that has none the one behind the last.
  Entry& entry_of(std::size_t scheduler, std::size_t warp) {
    std::uint32_t& place = places_[scheduler * warps_ + warp];
    if (place == nowhere) {
      place = static_cast<std::uint32_t>(queues_[scheduler].size++);
      entries_[scheduler * warps_ + place].warp = warp;
    }
    return entries_[scheduler * warps_ + place];
  }
  void update(std::size_t scheduler) {
    const Queue& queue = queues_[scheduler];
    if (queue.size == 0) return schedulers_.clear(scheduler);
    const Entry* const first = entries_.data() + scheduler * warps_;
    double wakes = first->wakes;
    for (std::size_t i = 1; i < queue.size; ++i) wakes = std::min(wakes, first[i].wakes);
    schedulers_.set(scheduler, std::max(wakes, queue.free));
  }

  std::size_t warps_;
  bool youngest_first_;
  std::vector<std::uint32_t> places_; // of each warp of each scheduler, among its scheduler's entries
  std::vector<Entry> entries_;        // of each scheduler those that are set, in any order
  std::vector<Queue> queues_;
  Agenda schedulers_;
};

} // namespace perfmodel
