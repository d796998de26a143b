// A kernel ends with its slowest SM; simulated SMs are all alike. How much later that is shows the simplest
// kernel that loads: every SM one word for each thread of a block of 256, from L2. What that takes longer
// than an empty one (kernel.first_load, probe kernel-turnover), beyond what the simulation says of the two,
//   slowest_sm = first_load x clock - (simulated loading - simulated empty), at least 0
// a kernel takes longer of which at least half of the SMs have blocks. Own measurement on an H200,
// 2026-11-22: loads of one block take 0.28 us beside an empty kernel, of 132 on SMs of their own 0.48.
#pragma once

#include "block_code.hpp"

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <algorithm>
#include <cstdint>

namespace perfmodel {

template <class T> Cycles slowest_sm(const Gpu& gpu, const SmModel& sm, T& trace) {
  if (!gpu.has_cost(facts::kernel_first_load)) return Cycles{0}; // no L2 that a word could come from
  constexpr int warps = 8;
  constexpr std::int64_t address_slots = 10;
  constexpr double bytes_of_line = 128; // bytes
  const auto cycles = [&](const WarpCode& warp) {
    BlockCode block;
    for (int i = 0; i < warps; ++i) block.add(warp);
    return run_blocks(sm.machine, block.program, 1, 1).cycles;
  };
  const double loading = cycles(
                   WarpCode(sm)
                       .enter(address_slots)
                       .load({.wavefronts = 1, .l2_bytes = bytes_of_line, .dram_bytes = 0}, WarpWait::nothing)
                       .slots(1, WarpWait::loads)),
               empty = cycles(WarpCode(sm).slots(1));
  const auto first_load = trace.cost(gpu, facts::kernel_first_load) * trace.fact(gpu, facts::clock);
  const auto simulated = trace.define("simulated_load", "of loading a word from L2, beside an empty kernel",
                                      trace.number(Cycles{loading - empty}));
  return value_of(trace.define("slowest_sm", "by which the slowest SM ends later",
                               greater(first_load - simulated, trace.number(Cycles{0}))));
}

} // namespace perfmodel
