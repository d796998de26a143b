// One trip of a loop of FMAs, `unroll` of each of `ilp` independent chains, by n warps of one scheduler:
//   T(n) = max( unroll L' + E,  G unroll ilp + G/i O + E,  n W + n E idle )    (half of ilp where pairs
//   issue) L   latency of an FMA; L' = L + what its operands wait for the other warps' fetches E   cycles
//   from the end of one trip to the start of the next; O  issue of the loop itself G   cycles between two
//   issues of one warp; i   between two instructions of a scheduler W   cycles that one warp's trip takes of
//   the scheduler: issue, or lanes, or register fetches, the largest idle = 1 - (n - 1) w / L': the share of
//   E for which the other warps have nothing ready (w: W of one step)
// Operand fetch: a bank of registers delivers one operand per cycle. An FMA of three registers needs two
// cycles of one bank, unless the instruction before it, of the same warp, left operands in the reuse cache; a
// warp that must wait for its own result loses them. Assumes that the accumulator shares its bank with one of
// the other two operands.
#pragma once

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

namespace perfmodel {

struct Loop {
  Count ilp = 1, unroll = 8, operands = 3;
};

// The terms that do not depend on n; of either trace.
template <class T> struct LoopTrip {
  using Number = decltype(std::declval<T&>().number(1.0));
  using Time = decltype(std::declval<T&>().number(Cycles{}));
  Number unroll, ilp;
  Time latency;       // L
  Time end;           // E
  Time alone;         // G unroll ilp + G/i O + E
  Time step;          // w
  Time beyond;        // of w: what the fetch of operands takes longer than their issue
  Time issue;         // W of issue and lanes alone
  Time share;         // W
  const char* shared; // what W is: "issue", "lanes", "operand fetch"
};

// Whether a scheduler issues several instructions of one warp at once: they must be of independent chains.
inline bool issues_pairs(const Gpu& gpu, Count ilp) {
  const auto dispatch = gpu.find(facts::dispatch_per_scheduler);
  return ilp >= 2 && dispatch && dispatch->value > 1;
}

// Throws InputError when the device lacks a fact.
template <class T> LoopTrip<T> loop_trip(const Gpu& gpu, const Loop& loop, T& trace) {
  const auto latency = trace.cost(gpu, facts::fma_latency);
  const auto lanes = trace.fact(gpu, facts::throughput_fp32_fma);
  const auto schedulers = trace.fact(gpu, facts::schedulers);
  const auto interval = trace.fact(gpu, facts::issue_interval);
  const auto unroll = trace.input("unroll", loop.unroll), ilp = trace.input("ilp", loop.ilp);
  const auto overhead = trace.cost(gpu, facts::loop_issue);
  const auto end = trace.cost(gpu, facts::loop_latency);
  const auto gap = trace.cost(gpu, facts::issue_reissue_gap);
  const auto issues =
      issues_pairs(gpu, loop.ilp) ? ilp / trace.fact(gpu, facts::dispatch_per_scheduler) : ilp;
  const auto pipe = trace.define("pipe", "cycles of a scheduler's lanes for one warp's FMA",
                                 trace.number(32.0) * schedulers / lanes);
  const auto issue = trace.define("W(issue)", "cycles of the scheduler for one warp's trip",
                                  greater(unroll * issues * interval + overhead, unroll * ilp * pipe));
  const bool by_lanes = value_of(unroll * ilp * pipe) >= value_of(issue);
  LoopTrip<T> trip{.unroll = unroll,
                   .ilp = ilp,
                   .latency = latency,
                   .end = end,
                   .alone = gap * unroll * issues + gap / interval * overhead + end,
                   .step = trace.define("w", "cycles of the scheduler for one FMA of every chain",
                                        greater(issues * interval, ilp * pipe)),
                   .beyond = trace.number(Cycles{0}),
                   .issue = issue,
                   .share = issue,
                   .shared = by_lanes ? "lanes" : "issue"};
  if (!gpu.has_cost(facts::register_reads) || !gpu.has_cost(facts::register_banks)) return trip;
  // The operands that all chains share stay for the next chain's FMA only while the warp goes on without
  // waiting.
  const bool lost = loop.operands == 3 && value_of(ilp * interval) < value_of(latency) - Cycles{0.5};
  const auto bank =
      trace.define("bank", "operands that one register bank delivers per cycle",
                   trace.cost(gpu, facts::register_reads) / trace.cost(gpu, facts::register_banks));
  const auto fetch = trace.define("w(fetch)", "cycles of the busier register bank for one FMA of every chain",
                                  (ilp + trace.number(lost ? 1.0 : 0.0)) / bank);
  if (value_of(fetch) > value_of(trip.step)) {
    trip.beyond = fetch - trip.step;
    trip.step = fetch;
  }
  const auto fetches = unroll * fetch + trace.number(1.0) / bank; // the loop's compare reads a register, too
  if (value_of(fetches) > value_of(issue)) {
    trip.share = trace.define("W(fetch)", "cycles of the busier register bank for one warp's trip", fetches);
    trip.shared = "operand fetch";
  }
  return trip;
}

// T(n), and which of its terms is the largest: "latency", "reissue", or what W is.
template <class T>
auto trip_time(const LoopTrip<T>& trip, const typename LoopTrip<T>::Number& n, T& trace,
               const char** bound = nullptr) {
  const auto one = trace.number(1.0);
  const auto latency = value_of(trip.beyond) > Cycles{0}
                           ? trace.define("L'", "latency of an FMA among the other warps",
                                          trip.latency + trip.beyond * lesser(one, n - one))
                           : trip.latency;
  const auto exposed = trip.unroll * latency + trip.end;
  const auto filled = lesser(one, (n - one) * trip.step / latency);
  const auto together = n * trip.share + n * trip.end * (one - filled);
  if (bound != nullptr) {
    const auto alone = greater(value_of(exposed), value_of(trip.alone));
    *bound = value_of(together) > alone                  ? trip.shared
             : value_of(exposed) >= value_of(trip.alone) ? "latency"
                                                         : "reissue";
  }
  return greater(greater(exposed, trip.alone), together);
}

} // namespace perfmodel
