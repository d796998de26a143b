#include "reduction.hpp"

#include "models/simulate/slowest_sm.hpp"
#include "reduction_programs.hpp"

#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/trace.hpp"
#include "models/machine/caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace perfmodel {

namespace {

constexpr Bytes word{4};

template <class E> std::string_view name_of(E choice) {
  return names(choice)[static_cast<std::size_t>(choice)];
}

void check(const Gpu& gpu, const Reduction::Input& in) {
  if (in.threads < 64 || in.threads > 1024 || !std::has_single_bit(static_cast<std::uint64_t>(in.threads)))
    throw InputError(fmt::format("--threads {:g}: a power of two from 64 to 1024 is expected", in.threads));
  const Bytes array = in.n * word;
  if (const auto memory = gpu.find(facts::dram_size); memory && array > memory->value)
    throw InputError(fmt::format("--n {:.0f}: {} do not fit the {} of {}", in.n,
                                 format_quantity(array.value, unit_of<Bytes>()),
                                 format_quantity(memory->value.value, unit_of<Bytes>()), gpu.name));
}

// Warps exchange registers since cc 3.0.
bool has_shuffles(const Gpu& gpu) { return gpu.lacks.find("throughput.shuffle") == gpu.lacks.end(); }

std::vector<std::string_view> classes_on(const Gpu& gpu) {
  std::vector<std::string_view> classes;
  for (const std::string_view name : reduction_classes())
    if (name != "shuffle" || has_shuffles(gpu)) classes.push_back(name);
  return classes;
}

std::vector<ReductionVersion> versions_on(const Gpu& gpu, const Reduction::Input& in) {
  if (in.version && *in.version >= ReductionVersion::shuffle && !has_shuffles(gpu))
    throw LaunchError(fmt::format("--version {}: {} has {}", name_of(*in.version), gpu.name,
                                  gpu.lacks.find("throughput.shuffle")->second));
  if (in.version) return {*in.version};
  std::vector<ReductionVersion> all;
  for (std::size_t i = 0; i < names(ReductionVersion{}).size(); ++i)
    if (const auto version = static_cast<ReductionVersion>(i);
        version < ReductionVersion::shuffle || has_shuffles(gpu))
      all.push_back(version);
  return all;
}

struct Ladder {
  const SmModel& sm;
  const Banks& banks;
  Count sms = 1, resident = 1;
  double turnover = 0; // cycles from one kernel to the next
  double slowest = 0;  // by which the slowest SM ends later, where half have blocks
  double cached = 0;   // bytes that stay in L2
};

struct Climbed {
  double cycles = 0, sectors = 0, wavefronts = 0, instructions = 0, dram_bytes = 0;
  Count blocks = 0, passes = 0; // blocks of the first pass
  std::string bound;
};

Climbed climb(const Ladder& ladder, ReductionVersion version, const Reduction::Input& in) {
  Climbed sum;
  for (double left = in.n; left > 1 || sum.passes == 0;) {
    const ReductionPass pass{.version = version,
                             .type = in.type,
                             .threads = static_cast<std::int64_t>(in.threads),
                             .n = left,
                             .in_l2 = left * word.value <= ladder.cached,
                             .first = sum.passes == 0,
                             .resident = ladder.resident,
                             .sms = ladder.sms};
    const double blocks = reduction_blocks(pass);
    const BlockCode block = reduction_block(ladder.sm, ladder.banks, pass);
    const SmRun run = run_blocks(ladder.sm.machine, block.program, static_cast<std::size_t>(ladder.resident),
                                 std::max(1.0, blocks / ladder.sms));
    constexpr double sector = 32;
    sum.sectors += std::ceil(left * word.value / sector);
    sum.wavefronts += blocks * block.counts.wavefronts;
    sum.instructions += blocks * block.counts.instructions;
    if (!pass.in_l2) sum.dram_bytes += left * word.value;
    // The last block of the vector version adds the partial sums up by itself.
    const bool own_kernel = pass.first || version != ReductionVersion::vector;
    sum.cycles += run.cycles + (own_kernel ? ladder.turnover : 0) +
                  (own_kernel && 2 * blocks >= ladder.sms ? ladder.slowest : 0);
    sum.passes += own_kernel ? 1 : 0;
    if (pass.first) sum.blocks = blocks, sum.bound = bound_of(ladder.sm, run);
    left = blocks;
  }
  return sum;
}

template <class T>
std::vector<LeftByLink> left_of(const Reduction::Input& in, const std::vector<Reduction::Rung>& rungs,
                                T& trace) {
  std::vector<LeftByLink> rows;
  if (!in.link) return rows;
  const auto array = trace.input("n", in.n) * trace.number(word), sum = trace.number(word);
  for (const Reduction::Rung& rung : rungs)
    rows.push_back(left_by_link(*in.link, rung.version, rung.time, array, sum, trace));
  return with_gains(std::move(rows), "interleaved");
}

} // namespace

template <class T> Reduction::Tables Reduction::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(gpu, in);
  const std::vector<ReductionVersion> versions = versions_on(gpu, in);
  const SmModel sm = sm_model(gpu, classes_on(gpu), MemoryUse::read, trace);
  const Banks banks = banks_of(gpu, std::nullopt, trace);
  const auto clock = trace.fact(gpu, facts::clock);
  const auto turnover = trace.cost(gpu, facts::kernel_turnover);
  const auto bytes = trace.define("bytes", "of the array", trace.input("n", in.n) * trace.number(word));
  const Bytes cached = l2_capacity(gpu, trace);
  const bool in_l2 = value_of(bytes) <= cached;
  const auto read = in_l2 ? trace.cost(gpu, facts::sustained_l2) : read_bandwidth(gpu, trace);
  const Occupancy held = occupancy(
      gpu,
      {.threads_per_block = in.threads, .registers_per_thread = 16, .shared_per_block = in.threads * word});
  const Ladder ladder{.sm = sm,
                      .banks = banks,
                      .sms = value_of(trace.fact(gpu, facts::sm_count)),
                      .resident = held.blocks,
                      .turnover = value_of(turnover * clock).value,
                      .slowest = slowest_sm(gpu, sm, trace).value,
                      .cached = cached.value};

  std::vector<Rung> rungs;
  for (const ReductionVersion version : versions) {
    const Climbed sum = climb(ladder, version, in);
    const auto cycles = trace.define(
        fmt::format("cycles({})", name_of(version)),
        "of all passes, their blocks simulated warp by warp, with what launches and slowest_sm add",
        trace.number(Cycles{sum.cycles}));
    const auto time = trace.define(fmt::format("T({})", name_of(version)), "time of the sum", cycles / clock);
    const auto bandwidth = bytes / time;
    const Flops additions(in.n - 1);
    rungs.push_back({.version = std::string(name_of(version)),
                     .n = in.n,
                     .threads = in.threads,
                     .type = std::string(name_of(in.type)),
                     .time = value_of(time),
                     .bandwidth = value_of(bandwidth),
                     .gain = rungs.empty() ? absent : rungs.back().time / value_of(time),
                     .total_gain = rungs.empty() ? absent : rungs.front().time / value_of(time),
                     .of_roof = value_of(bandwidth / read),
                     .blocks = sum.blocks,
                     .resident = held.blocks,
                     .passes = sum.passes,
                     .sectors = sum.sectors,
                     .wavefronts = sum.wavefronts,
                     .instructions = std::round(sum.instructions),
                     .dram_bytes = Bytes{sum.dram_bytes > 0 ? sum.dram_bytes : absent},
                     .intensity = additions / value_of(bytes),
                     .performance = additions / value_of(time),
                     .level = in_l2 ? "l2" : "dram",
                     .bound = sum.bound});
  }
  std::vector<LeftByLink> left = left_of(in, rungs, trace);
  return {std::move(rungs), std::move(left)};
}

std::string Reduction::verdict(const Gpu&, const Input&, const Tables& rows) {
  const auto& [rungs, left] = rows;
  const auto faster = [](const Rung& a, const Rung& b) { return a.time < b.time; };
  const Rung& best = *std::min_element(rungs.begin(), rungs.end(), faster);
  std::string text = fmt::format(
      "{} sums {} numbers in {}: {}, {} of {}, bound by {}", best.version, in_words(best.n),
      in_words(best.time), in_words(best.bandwidth), in_percent(best.of_roof),
      best.level == "l2" ? "L2's read bandwidth, for the array is taken to lie there" : "the read bandwidth",
      binding(best.bound));
  if (rungs.size() > 1)
    text = fmt::format("Fastest of {}: {}", in_words(static_cast<double>(rungs.size())), text);
  if (!std::isnan(best.total_gain))
    text += fmt::format(". That is {} times as fast as {}{}", in_words(best.total_gain),
                        rungs.front().version, left_in_words(left, best.version));
  return text + ".";
}

template Reduction::Tables Reduction::predict(const Gpu&, const Input&, Plain&);
template Reduction::Tables Reduction::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
