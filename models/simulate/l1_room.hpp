// How much of what kernels go through again L1 still has. Its memory is shared memory, too, of which an SM
// has as much as all blocks that may be there need, in steps (carve-out). Warps in step lose nothing of what
// they come back to up to l1.capacity, and all from l1.overflow on. Out of step, each row of a matrix read
// three times by another warp, they have lost a quarter at l1.quarter_lost bytes of rows on the SM, and three
// quarters at l1.three_quarters_lost, along a straight line to a hundredth or so from 15 to 76 %: some of
// them are far ahead, and lines of rows that nobody needs any more go last. (Probe l1-retention, H200, 30
// November 2026.) Arrays in local memory that their threads go through again and again lose as much at more
// bytes: a twentieth at l1.own_twentieth_lost, a fifth at l1.own_fifth_lost, and so on along the line through
// both. (Probe local-retention, H200, the same day.)
#pragma once

#include "l1_sectors.hpp"

#include "models/concurrency/occupancy.hpp"
#include "models/core/facts.hpp"
#include "models/core/gpu.hpp"
#include "models/core/trace.hpp"

#include <algorithm>

namespace perfmodel {

struct L1Room {
  double bytes = 0;              // of an SM
  L1Spread in_step, out_of_step; // of those
  L1Spread own;                  // of kernels that go through local memory in a loop
  bool stores_take_lines = false;
};

// `least` of shared memory, in the steps in which SMs have it.
inline double carveout_of(const Gpu& gpu, double least) {
  const auto steps = gpu.find(facts::shared_carveouts);
  if (!steps) return least;
  for (const Bytes step : steps->value)
    if (step.value >= least) return step.value;
  return least;
}

// `held` says what the blocks take that an SM has room for.
template <class T> L1Room l1_room(const Gpu& gpu, const Occupancy& held, T& trace) {
  constexpr double least = 16384; // bytes
  const double size = value_of(trace.fact(gpu, facts::l1_size)).value,
               shared = held.blocks * held.shared_allocated.value;
  if (!gpu.has_cost(facts::l1_overflow))
    return {.bytes = std::max(least, size - shared), .in_step = {}, .out_of_step = {}, .own = {}};
  L1Room room{.bytes = std::max(least, size - carveout_of(gpu, shared)),
              .in_step = {},
              .out_of_step = {},
              .own = {},
              .stores_take_lines = true};
  // The probes' kernels: of blocks of one thread, of which an SM has room for the most, and of 256 threads.
  const auto share_of = [&](const Key<Bytes>& fact, double blocks) {
    const double reserved = value_of(trace.fact(gpu, facts::shared_reserved)).value;
    return value_of(trace.cost(gpu, fact)).value /
           std::max(least, size - carveout_of(gpu, blocks * reserved));
  };
  const double most_blocks = value_of(trace.fact(gpu, facts::max_blocks_per_sm)),
               blocks_of_256 = value_of(trace.fact(gpu, facts::max_threads_per_sm)) / 256;
  const auto between = [](double first, double last) {
    const double from = std::clamp(first, 0.0, 1.0);
    return L1Spread{from, std::max(from, last)};
  };
  room.in_step =
      between(share_of(facts::l1_capacity, most_blocks), share_of(facts::l1_overflow, most_blocks));
  const double quarter = share_of(facts::l1_quarter_lost, blocks_of_256),
               three = share_of(facts::l1_three_quarters_lost, blocks_of_256), half = (three - quarter) / 2;
  room.out_of_step = between(quarter - half, three + half);
  room.own = room.in_step;
  if (gpu.has_cost(facts::l1_own_twentieth_lost) && gpu.has_cost(facts::l1_own_fifth_lost)) {
    const double blocks_of_128 = value_of(trace.fact(gpu, facts::max_threads_per_sm)) / 128,
                 little = share_of(facts::l1_own_twentieth_lost, blocks_of_128),
                 of_all = (share_of(facts::l1_own_fifth_lost, blocks_of_128) - little) / (0.2 - 0.05);
    room.own = between(little - 0.05 * of_all, little + 0.95 * of_all);
  }
  return room;
}

// Where so many warps or blocks come back to what they have read, each at its own time.
inline L1Spread spread_of(const L1Room& room, double parties) {
  const double apart = 1 - 1 / std::max(1.0, parties);
  return {std::lerp(room.in_step.first, room.out_of_step.first, apart),
          std::lerp(room.in_step.last, room.out_of_step.last, apart)};
}

} // namespace perfmodel
