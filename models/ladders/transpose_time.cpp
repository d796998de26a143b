#include "transpose_time.hpp"

#include "models/access/partial_lines.hpp"
#include "models/core/facts.hpp"
#include "models/machine/caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// Cycles for which a block keeps a unit busy.
double busy(const BlockProgram& program, std::size_t unit) {
  double cycles = 0;
  for (const std::size_t which : program.of_warp)
    for (const WarpStep& step : program.programs[which])
      for (std::size_t i = 0; i < step.used; ++i)
        if (step.uses[i].unit == unit) cycles += step.uses[i].cycles * static_cast<double>(step.repeat);
  return cycles;
}

// Of the sectors that a block writes word by word, the share that L2 sends away before they are whole; 0
// where its sets are not known. `blocks` of the device are written one after the other, `lines` in each.
template <class T>
double share_sent_early(const Gpu& gpu, const SmRun& run, double blocks, double lines, T& trace) {
  if (lines == 0 || run.writing.empty()) return 0;
  if (!gpu.has_cost(facts::l2_partial_sets)) return 0; // no L2
  const PartialLines l2{.sets = value_of(trace.cost(gpu, facts::l2_partial_sets)),
                        .ways = value_of(trace.cost(gpu, facts::l2_partial_ways))};
  double sum = 0;
  for (const double cycles : run.writing) sum += sent_early(l2, cycles * lines * blocks / run.cycles);
  const double share = sum / static_cast<double>(run.writing.size());
  return value_of(
      trace.define("sent_early", "sectors that leave L2 before they are whole", trace.number(share)));
}

template <class T>
TransposeTime simulated(const Gpu& gpu, const TransposeMachine& machine, const BlockProgram& program,
                        const TransposeMemory& memory, double tiles, double blocks, double resident,
                        T& trace) {
  const SmModel& sm = machine.sm;
  const SmRun run =
      run_blocks(sm.machine, program, static_cast<std::size_t>(resident), std::max(1.0, blocks));
  const std::string bound = bound_of(sm, run);
  const auto time = trace.define("simulated", "cycles of an SM, over the clock",
                                 trace.number(Cycles{run.cycles}) / trace.number(sm.clock));
  return {value_of(time), bound == "device memory" ? memory.bound : bound,
          share_sent_early(gpu, run, tiles, memory.lines_in_words, trace)};
}

template <class T>
TransposeTime composed(const Gpu& gpu, const TransposeMachine& machine, const BlockProgram& program,
                       const TransposeMemory& memory, double blocks, T& trace) {
  const SmModel& sm = machine.sm;
  const auto time_of = [&](std::size_t unit) {
    return trace.number(Cycles{busy(program, unit) * blocks}) / trace.number(sm.clock);
  };
  const auto t_memory =
      trace.define("t_memory", "of device memory", trace.number(Seconds{memory.read + memory.written}));
  const auto t_l2 = trace.define("t_l2", "of L2", time_of(sm.l2) + time_of(sm.stores_to_l2));
  const auto t_shared = trace.define("t_shared", "of shared memory and L1", time_of(sm.lsu));
  const auto slower = greater(t_memory, t_l2);
  constexpr double p = 2;
  trace.fitted("p", "exponent that combines the times of memory and shared memory", p,
               "best whole number for four published series");
  const auto first =
      trace.define("first", "a block's launch, its load and its store, which nothing hides",
                   (trace.cost(gpu, facts::block_launch) + 2.0 * trace.cost(gpu, facts::dram_latency)) /
                       trace.number(sm.clock));
  const double time = value_of(first).value + std::hypot(value_of(slower).value, value_of(t_shared).value);
  const bool shared = value_of(t_shared) > value_of(slower);
  return {Seconds{time}, shared                                ? "shared memory and L1"
                         : value_of(t_l2) > value_of(t_memory) ? "L2"
                                                               : memory.bound};
}

} // namespace

template <class T>
TransposeTime transpose_time(const Gpu& gpu, const TransposeMachine& machine, const BlockProgram& program,
                             const TransposeMemory& memory, double tiles, double resident, T& trace) {
  const double blocks = tiles / value_of(trace.fact(gpu, facts::sm_count));
  return has_l2(gpu) ? simulated(gpu, machine, program, memory, tiles, blocks, resident, trace)
                     : composed(gpu, machine, program, memory, blocks, trace);
}

template TransposeTime transpose_time(const Gpu&, const TransposeMachine&, const BlockProgram&,
                                      const TransposeMemory&, double, double, Plain&);
template TransposeTime transpose_time(const Gpu&, const TransposeMachine&, const BlockProgram&,
                                      const TransposeMemory&, double, double, Recorder&);

} // namespace perfmodel
