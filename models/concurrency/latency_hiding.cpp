#include "latency_hiding.hpp"

#include "models/concurrency/loop_trip.hpp"
#include "models/concurrency/resident_blocks.hpp"
#include "models/concurrency/sm_resources.hpp"
#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfmodel {

namespace {

constexpr Count loop_registers = 10; // the loop's counter, addresses and what the compiler keeps

// Warps of each block on the scheduler that holds the most, when `blocks` blocks of `warps` warps are dealt
// out evenly, the older blocks having the larger share, or the younger.
std::vector<Count> fullest_scheduler(Count warps, Count blocks, Count schedulers, bool older_more) {
  const Count all = round_up(warps * blocks / schedulers), least = round_down(warps / schedulers);
  std::vector<Count> shares(static_cast<std::size_t>(blocks), least);
  Count left = all - least * blocks;
  for (std::size_t i = 0; i < shares.size() && left > 0; ++i, --left)
    shares[older_more ? i : shares.size() - 1 - i] += 1;
  return shares;
}

// Cycles per trip when the scheduler serves older blocks first: each block works as fast as its own warps
// can, of what the older ones leave of the issue; when one is done, the younger ones go on with fewer warps.
Cycles oldest_first(const LoopTrip<Plain>& trip, std::vector<Count> shares) {
  Plain plain;
  Cycles time{0};
  shares.erase(std::remove(shares.begin(), shares.end(), 0.0), shares.end());
  std::vector<double> left(shares.size(), 1);
  for (std::size_t done = 0; done < shares.size();) {
    double issue_left = 1, phase = std::numeric_limits<double>::infinity();
    std::vector<double> rate(shares.size(), 0);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (left[i] <= 0) continue;
      rate[i] = std::min(1 / trip_time(trip, shares[i], plain).value,
                         std::max(0.0, issue_left) / (shares[i] * trip.issue.value));
      issue_left -= shares[i] * trip.issue.value * rate[i];
      if (rate[i] > 0) phase = std::min(phase, left[i] / rate[i]);
    }
    time = time + Cycles{phase};
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (left[i] <= 0) continue;
      left[i] -= rate[i] * phase;
      if (left[i] < 1e-9) left[i] = 0, ++done;
    }
  }
  return time;
}

struct HidingPoint {
  PerCycle rate;
  double of_peak;
  const char* bound;
};

template <class T>
HidingPoint point_at(const Gpu& gpu, const LatencyHiding::Input& in, Count warps_of_block, T& trace) {
  const Count chains = in.ilp.value_or(1), blocks = in.blocks.value_or(1);
  const Loop loop{.ilp = chains, .unroll = in.unroll, .operands = in.operands};
  const auto trip = loop_trip(gpu, loop, trace);
  const auto schedulers = trace.fact(gpu, facts::schedulers);
  const auto warps =
      trace.define("warps", "warps of the SM",
                   trace.input("blocks", blocks) * trace.input("block's warps", warps_of_block));
  const auto n = trace.define("n", "warps of the fullest scheduler", round_up(warps / schedulers));
  const char* bound = "";
  auto time = trace.define("T", "cycles of one trip of them", trip_time(trip, n, trace, &bound));
  if (blocks > 1) {
    Unexplained served_in_order(trace);
    const auto plain_trip = loop_trip(gpu, loop, served_in_order.plain);
    Cycles served{0};
    for (const bool older_more : {true, false})
      served = greater(served, oldest_first(plain_trip, fullest_scheduler(warps_of_block, blocks,
                                                                          value_of(schedulers), older_more)));
    if (served > value_of(time)) {
      time = trace.define("T(oldest first)",
                          "the same when the older block is served first and leaves the other behind",
                          greater(time, trace.number(served)));
      bound = "younger block";
    }
  }
  const auto lanes = trace.fact(gpu, facts::throughput_fp32_fma);
  const auto rate = trace.define("fma_per_clock", "FMAs per clock and SM",
                                 warps * trace.number(32.0) * trip.unroll * trip.ilp / time);
  const auto of_peak = trace.define("of_peak", "share of the peak", rate / lanes);
  return {value_of(rate), value_of(of_peak), bound};
}

Count warps_of(Count threads) { return round_up(threads / 32); }

void check(const Gpu& gpu, const LatencyHiding::Input& in) {
  if (in.operands != 2 && in.operands != 3)
    throw InputError(fmt::format("--operands {:g}: an FMA reads 2 or 3 different registers", in.operands));
  const Count chains = in.ilp.value_or(1), blocks = in.blocks.value_or(1);
  const Count registers = chains + loop_registers;
  if (const auto most = gpu.find(facts::max_registers_per_thread); most && registers > most->value)
    throw LaunchError(
        fmt::format("--ilp {:g}: that many chains need about {:g} registers of a thread; {} allows {:g}",
                    chains, registers, gpu.name, most->value));
  const Occupancy held = occupancy(
      gpu, {.threads_per_block = in.threads, .registers_per_thread = registers, .barriers_per_block = 0});
  if (blocks > held.blocks)
    throw LaunchError(fmt::format("--blocks {:g}: an SM of {} holds {} of {} (limit: {})", blocks, gpu.name,
                                  format_quantity(held.blocks, {"blocks", {}}),
                                  format_quantity(in.threads, {"threads", {}}), held.binding()));
}

constexpr std::array<Count, 5> chain_counts{1, 2, 4, 8, 16};

// The share of the peak with so many threads per SM: in the blocks that were given, which the SM must hold,
// or as one even block, where its registers hold so many threads in the fewest blocks. Absent where they do
// not.
std::optional<double> reached(const Gpu& gpu, const SmResources<Plain>& sm, LatencyHiding::Input in,
                              Count threads, Count ilp, Plain& plain) {
  const Count blocks = in.blocks.value_or(round_up(threads / gpu.at(facts::max_threads_per_block).value));
  const Occupancy held = occupancy(sm, {.threads_per_block = round_up(threads / blocks),
                                        .registers_per_thread = ilp + loop_registers,
                                        .barriers_per_block = 0});
  if (held.blocks < blocks) return std::nullopt;
  in.ilp = ilp;
  return point_at(gpu, in, warps_of(threads / in.blocks.value_or(1)), plain).of_peak;
}

LatencyHiding::Threads threads_needed(const Gpu& gpu, const SmResources<Plain>& sm,
                                      const LatencyHiding::Input& in, double target, Count ilp,
                                      Plain& plain) {
  LatencyHiding::Threads row{.target = target, .ilp = ilp};
  const Count most = gpu.at(facts::max_threads_per_sm).value, step = 32 * in.blocks.value_or(1);
  for (Count t = step; t <= most && !(row.of_peak >= target); t += step) {
    const std::optional<double> share = reached(gpu, sm, in, t, ilp, plain);
    if (!share) continue;
    if (*share >= target) row.threads = t;
    row.of_peak = std::max(row.of_peak, *share);
  }
  row.verdict = row.of_peak >= target ? "yes" : "out of reach";
  return row;
}

LatencyHiding::Chains chains_needed(const Gpu& gpu, const SmResources<Plain>& sm,
                                    const LatencyHiding::Input& in, double target, Count threads,
                                    Plain& plain) {
  LatencyHiding::Chains row{.target = target, .threads = threads};
  for (const Count ilp : chain_counts) {
    if (row.of_peak >= target) break;
    const std::optional<double> share = reached(gpu, sm, in, threads * in.blocks.value_or(1), ilp, plain);
    if (!share) break;
    if (*share >= target) row.ilp = ilp;
    row.of_peak = std::max(row.of_peak, *share);
  }
  return row;
}

} // namespace

template <class T> LatencyHiding::Rate LatencyHiding::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(gpu, in);
  const HidingPoint p = point_at(gpu, in, warps_of(in.threads), trace);
  return {.threads = in.threads,
          .blocks = in.blocks.value_or(1),
          .ilp = in.ilp.value_or(1),
          .unroll = in.unroll,
          .operands = in.operands,
          .rate = p.rate,
          .of_peak = p.of_peak,
          .bound = p.bound};
}

template <class T>
std::tuple<std::vector<LatencyHiding::Threads>, std::vector<LatencyHiding::Chains>>
LatencyHiding::machine(const Gpu& gpu, const Input& in, T& trace) {
  if (in.target && *in.target > 1)
    throw InputError(
        fmt::format("--target {0:g}: a share of the peak is at most 1; is {0:g}% meant?", *in.target));
  const std::vector<double> targets = in.target ? std::vector{*in.target} : std::vector{0.5, 0.9, 0.95};
  const SmResources<Plain> sm = sm_resources(gpu);
  Unexplained points(trace);
  std::vector<Threads> threads;
  std::vector<Chains> chains;
  for (const double target : targets) {
    for (const Count ilp :
         in.ilp ? std::vector{*in.ilp} : std::vector(chain_counts.begin(), chain_counts.end()))
      threads.push_back(threads_needed(gpu, sm, in, target, ilp, points.plain));
    if (in.ilp) continue;
    for (Count t = 32; t <= gpu.at(facts::max_threads_per_block).value; t *= 2)
      chains.push_back(chains_needed(gpu, sm, in, target, t, points.plain));
  }
  return {std::move(threads), std::move(chains)};
}

double LatencyHiding::tolerance(const Gpu& gpu, const Input&) {
  const FactRecord* gap = gpu.record(facts::issue_reissue_gap);
  return gap != nullptr && gap->status == Status::fitted ? 0.06 : info.tolerance;
}

std::string LatencyHiding::verdict(const Gpu&, const Input&, const Rate& rows,
                                   const std::tuple<std::vector<Threads>, std::vector<Chains>>& machine) {
  std::string text =
      fmt::format("{} of {} with {} each: {} of the FMA peak", in_words(rows.blocks, "blocks"),
                  in_words(rows.threads, "threads"), in_words(rows.ilp, "chains"), in_percent(rows.of_peak));
  if (rows.of_peak < 0.995 && !rows.bound.empty()) text += fmt::format(", bound by {}", rows.bound);
  const Threads* most = nullptr; // the highest target with these chains
  for (const Threads& t : std::get<0>(machine))
    if (t.ilp == rows.ilp && (most == nullptr || t.target > most->target)) most = &t;
  if (most == nullptr || rows.of_peak >= most->target) return text + ".";
  return text + (std::isnan(most->threads)
                     ? fmt::format(". {} is out of reach with {} each: all threads that fit reach {}.",
                                   in_percent(most->target), in_words(most->ilp, "chains"),
                                   in_percent(most->of_peak))
                     : fmt::format(". {} takes {} per SM.", in_percent(most->target),
                                   in_words(most->threads, "threads")));
}

template LatencyHiding::Rate LatencyHiding::predict(const Gpu&, const Input&, Plain&);
template LatencyHiding::Rate LatencyHiding::predict(const Gpu&, const Input&, Recorder&);
template std::tuple<std::vector<LatencyHiding::Threads>, std::vector<LatencyHiding::Chains>>
LatencyHiding::machine(const Gpu&, const Input&, Plain&);
template std::tuple<std::vector<LatencyHiding::Threads>, std::vector<LatencyHiding::Chains>>
LatencyHiding::machine(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
