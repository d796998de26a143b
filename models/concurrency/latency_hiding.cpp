#include "latency_hiding.hpp"

#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

namespace {

constexpr Count other_registers =
    10; // the loop's counter, addresses and what the compiler keeps beside the chains

// Instructions of one warp that a scheduler may issue at once: two need independent chains.
Count issued_together(const Gpu& gpu, Count ilp) {
  const auto dispatch = gpu.find(facts::dispatch_per_scheduler);
  return dispatch && ilp >= 2 ? dispatch->value : 1;
}

struct Point {
  PerCycle rate;
  double of_peak;
  const char* bound;
};

template <class T>
Point point_at(const Gpu& gpu, const LatencyHiding::Input& in, Count warp_count, std::optional<Count> fullest,
               T& trace) {
  const auto latency = trace.fact(gpu, facts::fma_latency);
  const auto lanes = trace.fact(gpu, facts::throughput_fp32_fma);
  const auto schedulers = trace.fact(gpu, facts::schedulers);
  const auto interval = trace.fact(gpu, facts::issue_interval);
  const auto unroll = trace.input("unroll", in.unroll), ilp = trace.input("ilp", in.ilp);
  const auto warps = trace.input("warps", warp_count);
  const auto n = fullest ? trace.input("n", *fullest)
                         : trace.define("n", "warps of the fullest scheduler", round_up(warps / schedulers));
  const auto loop = fact_or(gpu, facts::loop_issue, Cycles{0}, trace);
  const auto loop_end = fact_or(gpu, facts::loop_latency, Cycles{0}, trace);
  const auto gap = gpu.record(facts::issue_reissue_gap.path) != nullptr
                       ? trace.fact(gpu, facts::issue_reissue_gap)
                       : interval;
  const auto together = trace.number(issued_together(gpu, in.ilp));

  // One step: one FMA of every chain.
  const auto pipe = trace.define("pipe", "cycles of a scheduler's lanes for one warp's FMA",
                                 trace.number(32.0) * schedulers / lanes);
  auto step = trace.define("step", "cycles of the scheduler for one FMA of every chain",
                           greater(ilp * interval / together, ilp * pipe));
  auto trip = trace.define("W", "cycles of the scheduler for one warp's trip",
                           greater(unroll * ilp / together * interval + loop, unroll * ilp * pipe));
  auto waiting = trace.number(Cycles{0});
  const char* bound = value_of(unroll * ilp * pipe) >= value_of(trip) ? "lanes" : "issue";
  if (gpu.record(facts::register_reads.path) != nullptr) {
    // The operands of one chain's FMA stay for the next chain's only while the warp goes on without waiting.
    const bool lost = in.operands == 3 && value_of(ilp * interval) < value_of(latency) - Cycles{0.5};
    const auto bank =
        trace.define("bank", "operands that one register bank delivers per cycle",
                     trace.fact(gpu, facts::register_reads) / trace.fact(gpu, facts::register_banks));
    const auto fetch = trace.define("fetch", "cycles of the busier register bank for one FMA of every chain",
                                    (ilp + trace.number(lost ? 1.0 : 0.0)) / bank);
    if (value_of(fetch) > value_of(step)) {
      const auto beyond = fetch - step;
      step = fetch;
      const auto others = (n - trace.number(1.0)) * step / latency;
      waiting = trace.define("wait", "what a fetch waits for the other warps' fetches",
                             beyond * lesser(trace.number(1.0), others));
    }
    // The loop's compare reads a register, too.
    const auto fetches = unroll * fetch + trace.number(1.0) / bank;
    if (value_of(fetches) > value_of(trip)) {
      trip = trace.define("W(fetch)", "cycles of the busier register bank for one warp's trip", fetches);
      bound = "operand fetch";
    }
  }

  const auto exposed = trace.define("L'", "latency of an FMA among the other warps", latency + waiting);
  const auto alone =
      greater(unroll * exposed + loop_end, gap * unroll * ilp + gap / interval * loop + loop_end);
  const auto others = lesser(trace.number(1.0), (n - trace.number(1.0)) * step / exposed);
  const auto together_time = n * trip + n * loop_end * (trace.number(1.0) - others);
  const auto time = trace.define("T", "cycles of one trip of all warps of the fullest scheduler",
                                 greater(alone, together_time));
  if (value_of(alone) >= value_of(together_time))
    bound = value_of(unroll * exposed + loop_end) >= value_of(alone) ? "latency" : "reissue";
  const auto rate = trace.define("fma_per_clock", "FMAs per clock and SM",
                                 warps * trace.number(32.0) * unroll * ilp / time);
  const auto of_peak = trace.define("of_peak", "share of the peak", rate / lanes);
  return {value_of(rate), value_of(of_peak), bound};
}

Count warps_of(Count threads) { return round_up(threads / 32); }

void check(const Gpu& gpu, const LatencyHiding::Input& in) {
  if (in.operands != 2 && in.operands != 3)
    throw InputError(fmt::format("--operands {:g}: an FMA reads 2 or 3 different registers", in.operands));
  const Count registers = in.ilp + other_registers;
  if (const auto most = gpu.find(facts::max_registers_per_thread); most && registers > most->value)
    throw InputError(
        fmt::format("--ilp {:g}: that many chains need about {:g} registers of a thread; {} allows {:g}",
                    in.ilp, registers, gpu.name, most->value));
  const Occupancy held = occupancy(
      gpu, {.threads_per_block = in.threads, .registers_per_thread = registers, .barriers_per_block = 0});
  if (in.blocks > held.blocks)
    throw InputError(fmt::format("--blocks {:g}: an SM of {} holds {:g} blocks of {:g} threads (limit: {})",
                                 in.blocks, gpu.name, held.blocks, in.threads, held.binding()));
  if (in.fullest && *in.fullest > warps_of(in.threads) * in.blocks)
    throw InputError(fmt::format("--fullest {:g}: there are {:g} warps in all", *in.fullest,
                                 warps_of(in.threads) * in.blocks));
}

Count dealt_evenly(const Gpu& gpu, Count warps) { return round_up(warps / gpu.at(facts::schedulers).value); }

Point even_point(const Gpu& gpu, LatencyHiding::Input in, Count threads, Count ilp) {
  in.ilp = ilp;
  Plain plain;
  const Count warps = warps_of(threads);
  return point_at(gpu, in, warps, std::nullopt, plain);
}

constexpr std::array<Count, 5> chain_counts{1, 2, 4, 8, 16};

} // namespace

template <class T> LatencyHiding::Rate LatencyHiding::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(gpu, in);
  const Count warps = warps_of(in.threads) * in.blocks;
  const Point p = point_at(gpu, in, warps, in.fullest, trace);
  if (gpu.record(facts::loop_issue.path) == nullptr)
    trace.say("loop", "what a loop costs", "not measured on this GPU: taken to cost nothing");
  return {.threads = in.threads,
          .blocks = in.blocks,
          .ilp = in.ilp,
          .unroll = in.unroll,
          .operands = in.operands,
          .fullest = in.fullest.value_or(dealt_evenly(gpu, warps)),
          .rate = p.rate,
          .of_peak = p.of_peak,
          .bound = p.bound};
}

template <class T>
std::tuple<std::vector<LatencyHiding::Threads>, std::vector<LatencyHiding::Chains>>
LatencyHiding::machine(const Gpu& gpu, const Input& in, T&) {
  if (in.target && *in.target > 1)
    throw InputError(fmt::format("--target {:g}: a share of the peak is at most 1 (or 100 %)", *in.target));
  const std::vector<double> targets = in.target ? std::vector{*in.target} : std::vector{0.5, 0.9, 0.95};
  const Count most = gpu.at(facts::max_threads_per_sm).value;
  std::vector<Threads> threads;
  std::vector<Chains> chains;
  for (const double target : targets) {
    for (const Count ilp : chain_counts) {
      Threads row{.target = target, .ilp = ilp};
      for (Count t = 32; t <= most && !(row.of_peak >= target); t += 32) {
        const double reached = even_point(gpu, in, t, ilp).of_peak;
        if (reached >= target) row.threads = t;
        row.of_peak = std::max(row.of_peak, reached);
      }
      row.verdict = row.of_peak >= target ? "yes" : "out of reach";
      threads.push_back(std::move(row));
    }
    for (Count t = 32; t <= most; t *= 2) {
      Chains row{.target = target, .threads = t};
      for (const Count ilp : chain_counts) {
        if (row.of_peak >= target) break;
        const double reached = even_point(gpu, in, t, ilp).of_peak;
        if (reached >= target) row.ilp = ilp;
        row.of_peak = std::max(row.of_peak, reached);
      }
      chains.push_back(row);
    }
  }
  return {std::move(threads), std::move(chains)};
}

double LatencyHiding::tolerance(const Gpu& gpu, const Input&) {
  const FactRecord* gap = gpu.record(facts::issue_reissue_gap.path);
  return gap != nullptr && gap->status == Status::fitted ? 0.06 : info.tolerance;
}

template LatencyHiding::Rate LatencyHiding::predict(const Gpu&, const Input&, Plain&);
template LatencyHiding::Rate LatencyHiding::predict(const Gpu&, const Input&, Recorder&);
template std::tuple<std::vector<LatencyHiding::Threads>, std::vector<LatencyHiding::Chains>>
LatencyHiding::machine(const Gpu&, const Input&, Plain&);
template std::tuple<std::vector<LatencyHiding::Threads>, std::vector<LatencyHiding::Chains>>
LatencyHiding::machine(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
