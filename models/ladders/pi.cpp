#include "pi.hpp"

#include "pi_programs.hpp"

#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace perfmodel {

namespace {

void check(const Pi::Input& in) {
  if (in.threads < 32 || in.threads > 1024 || !std::has_single_bit(static_cast<std::uint64_t>(in.threads)))
    throw InputError(fmt::format("--threads {:g}: a power of two from 32 to 1024 is expected", in.threads));
  if (in.n > 2147483648.0)
    throw InputError(
        fmt::format("--n {:.0f}: at most 2^31 intervals, which a thread counts in 32 bits", in.n));
}

struct Runs {
  const SmModel& sm;
  const Banks& banks;
  double sms = 1, resident = 1;
  double turnover = 0; // cycles from one launch to the next
};

struct Found {
  double cycles = 0, instructions = 0;
  std::string bound;
};

// The first launch. Loops of many trips go on as between the 32nd and the 64th.
Found run_points(const Runs& runs, const PiLaunch& launch) {
  constexpr double most = 64;
  const auto run = [&](double trips) {
    return run_blocks(runs.sm.machine, pi_points(runs.sm, runs.banks, launch, trips).program,
                      static_cast<std::size_t>(runs.resident), std::max(1.0, launch.blocks / runs.sms));
  };
  const double trips = std::floor(launch.points / (launch.blocks * static_cast<double>(launch.threads)));
  const SmRun longest = run(most);
  Found found{.cycles = longest.cycles, .bound = bound_of(runs.sm, longest)};
  const double instructions = pi_points(runs.sm, runs.banks, launch, most).counts.instructions;
  found.instructions = launch.blocks * instructions;
  if (trips <= most) return found;
  const double fewer = pi_points(runs.sm, runs.banks, launch, most / 2).counts.instructions;
  const double over = (trips - most) / (most / 2);
  found.cycles += over * (longest.cycles - run(most / 2).cycles);
  found.instructions += over * launch.blocks * (instructions - fewer);
  return found;
}

Found run_both(const Runs& runs, const PiLaunch& launch) {
  Found found = run_points(runs, launch);
  found.cycles += runs.turnover;
  if (launch.version == PiVersion::unsummed) return found;
  const BlockCode totals = pi_totals(runs.sm, runs.banks, launch);
  found.cycles += runs.turnover + run_blocks(runs.sm.machine, totals.program, 1, 1).cycles;
  found.instructions += totals.counts.instructions;
  return found;
}

// 4 |zeta(-1/2)| sqrt(2) n^(-3/2)
double rule_error(double n) { return 4 * 0.2078862249773545 * std::sqrt(2.0) * std::pow(n, -1.5); }

} // namespace

template <class T> std::vector<Pi::Row> Pi::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(in);
  const SmModel sm = sm_model(gpu, pi_classes(), MemoryUse::read, trace);
  const Banks banks = banks_of(gpu, std::nullopt, trace);
  const auto clock = trace.fact(gpu, facts::clock);
  const auto turnover = trace.cost(gpu, facts::kernel_turnover);
  constexpr Bytes word{4};
  const Occupancy held = occupancy(
      gpu,
      {.threads_per_block = in.threads, .registers_per_thread = 16, .shared_per_block = in.threads * word});
  const Runs runs{.sm = sm,
                  .banks = banks,
                  .sms = value_of(trace.fact(gpu, facts::sm_count)),
                  .resident = held.blocks,
                  .turnover = value_of(turnover * clock).value};
  PiLaunch launch{.threads = static_cast<std::int64_t>(in.threads), .points = in.n - 1};
  launch.blocks = std::clamp(std::ceil(launch.points / in.threads), 1.0, runs.sms * runs.resident);

  const auto time_of = [&](std::string_view name, const Found& found) {
    const auto cycles =
        trace.define(fmt::format("cycles({})", name), "of the launches, their blocks simulated warp by warp",
                     trace.number(Cycles{found.cycles}));
    return trace.define(fmt::format("T({})", name), "time", cycles / clock);
  };
  launch.version = PiVersion::unsummed;
  const Found bare = run_both(runs, launch);
  const auto least = time_of("unsummed", bare);

  std::vector<Row> rows;
  for (std::size_t i = 0; i < names(PiVersion{}).size(); ++i) {
    launch.version = static_cast<PiVersion>(i);
    if (in.version && *in.version != launch.version) continue;
    const bool summed = launch.version != PiVersion::unsummed;
    Found found = summed ? run_both(runs, launch) : bare;
    // The same work and more: where warps come apart luckily the simulation is up to 1 % quicker.
    found.cycles = std::max(found.cycles, bare.cycles);
    const Seconds time = value_of(summed ? time_of(names(PiVersion{})[i], found) : least);
    rows.push_back({.version = launch.version,
                    .n = in.n,
                    .threads = in.threads,
                    .time = time,
                    .share = 1 - value_of(least) / time,
                    .gain = rows.empty() ? absent : rows.back().time / time,
                    .rate = in.n / time.value,
                    .blocks = launch.blocks,
                    .per_thread = in.n / (launch.blocks * in.threads),
                    .instructions = found.instructions,
                    .rule_error = rule_error(in.n),
                    .bound = found.bound});
  }
  return rows;
}

std::string Pi::verdict(const Gpu&, const Input&, const std::vector<Row>& rows) {
  const Row& last = rows.back();
  if (rows.size() == 1 && last.version == PiVersion::unsummed)
    return fmt::format("{} without a summation take {}, bound by {}.", in_words(last.n, "intervals"),
                       in_words(last.time), binding(last.bound));
  std::string text = "The summation takes ";
  Row best{};
  for (const Row& row : rows) {
    if (row.version == PiVersion::unsummed) continue;
    const bool first = best.n == 0;
    text += fmt::format("{}{} of the time of {}", first ? "" : " and ", in_percent(row.share),
                        names(row.version)[static_cast<std::size_t>(row.version)]);
    if (first || row.time < best.time) best = row;
  }
  return text + fmt::format(": {} in {} at best, bound by {}.", in_words(best.n, "intervals"),
                            in_words(best.time), binding(best.bound));
}

template std::vector<Pi::Row> Pi::predict(const Gpu&, const Input&, Plain&);
template std::vector<Pi::Row> Pi::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
