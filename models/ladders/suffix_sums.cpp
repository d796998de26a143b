#include "suffix_sums.hpp"

#include "suffix_sums_programs.hpp"

#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/trace.hpp"
#include "models/machine/caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace perfmodel {

namespace {

using Version = ScanVersion;

constexpr Bytes word{4};

Bytes array_of(const SuffixSums::Input& in) { return in.n * in.blocks * word; }

void check(const Gpu& gpu, const SuffixSums::Input& in) {
  if (const auto memory = gpu.find(facts::dram_size); memory && array_of(in) > memory->value)
    throw LaunchError(fmt::format("--blocks {:.0f}: {} do not fit the {} of {}", in.blocks,
                                  format_quantity(array_of(in).value, unit_of<Bytes>()),
                                  format_quantity(memory->value.value, unit_of<Bytes>()), gpu.name));
}

// Why the device has no such version; "" where it has. Warps exchange registers since cc 3.0.
std::string lacking(const Gpu& gpu, Version version) {
  const auto at = gpu.lacks.find("throughput.shuffle");
  return version == Version::warps && at != gpu.lacks.end() ? at->second : "";
}

// Up to cc 6.x the threads of a warp run in step; since then each has a program counter of its own, and what
// the others have done is known after a __syncwarp alone (CUDA C++ Programming Guide, "Independent Thread
// Scheduling").
std::string right_of(const Gpu& gpu, Version version, double n) {
  constexpr double warp = 32;
  if (version != Version::unsynchronised || n == 1) return "yes";
  if (n > warp) return "no";
  return std::strtod(gpu.architecture.c_str(), nullptr) < 7 ? "yes: one warp, in step"
                                                            : "not for sure: a warp need not run in step";
}

Launch launch_of(Version version, double n) {
  const auto words = static_cast<double>(scan_words(version, static_cast<std::int64_t>(n)));
  return {.threads_per_block = n, .registers_per_thread = 16, .shared_per_block = words * word};
}

// The difference of many scans and half as many.
double cycles_of_scan(const SmModel& sm, Version version, std::int64_t n) {
  constexpr std::int64_t scans = 8;
  const auto cycles = [&](std::int64_t times) {
    return run_blocks(sm.machine, scan_again(sm, version, n, times).program, 1, 1).cycles;
  };
  return (cycles(2 * scans) - cycles(scans)) / static_cast<double>(scans);
}

} // namespace

template <class T>
std::vector<SuffixSums::Row> SuffixSums::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(gpu, in);
  std::vector<std::string_view> classes;
  for (const std::string_view name : scan_classes())
    if (name != "shuffle" || lacking(gpu, Version::warps).empty()) classes.push_back(name);
  const SmModel sm = sm_model(gpu, classes, MemoryUse::copy, trace);
  const auto clock = trace.fact(gpu, facts::clock);
  const auto turnover = trace.cost(gpu, facts::kernel_turnover);
  const Count sms = value_of(trace.fact(gpu, facts::sm_count));
  const bool in_l2 = array_of(in) <= l2_capacity(gpu, trace);
  const auto n = static_cast<std::int64_t>(in.n);

  std::vector<Row> rows;
  for (std::size_t i = 0; i < names(Version{}).size(); ++i) {
    const auto version = static_cast<Version>(i);
    if (in.version && *in.version != version) continue;
    const std::string_view name = names(version)[i];
    if (const std::string why = lacking(gpu, version); !why.empty()) {
      if (in.version) throw LaunchError(fmt::format("--version {}: {} has {}", name, gpu.name, why));
      trace.say(name, "left out", why);
      continue;
    }
    const Occupancy held = occupancy(gpu, launch_of(version, in.n));
    const BlockCode block = scan_once(sm, version, n, in_l2);
    const SmRun run = run_blocks(sm.machine, block.program, static_cast<std::size_t>(held.blocks),
                                 std::max(1.0, in.blocks / sms));
    const auto cycles =
        trace.define(fmt::format("cycles({})", name), "of the launch, its blocks simulated warp by warp",
                     trace.number(Cycles{run.cycles}));
    const auto time =
        trace.define(fmt::format("T({})", name), "with the turn of launches", cycles / clock + turnover);
    const ScanCounts counts = scan_counts(version, n);
    rows.push_back({.version = version,
                    .n = in.n,
                    .blocks = in.blocks,
                    .cycles = Cycles{cycles_of_scan(sm, version, n)},
                    .time = value_of(time),
                    .steps = static_cast<double>(counts.steps),
                    .barriers = static_cast<double>(counts.barriers),
                    .additions = static_cast<double>(counts.additions),
                    .work = n > 1 ? static_cast<double>(counts.additions) / (in.n - 1) : absent,
                    .wavefronts = in.blocks * block.counts.wavefronts,
                    .instructions = in.blocks * block.counts.instructions,
                    .resident = held.blocks,
                    .bound = bound_of(sm, run),
                    .right = right_of(gpu, version, in.n)});
    if (rows.size() > 1) rows.back().gain = rows[rows.size() - 2].cycles / rows.back().cycles;
  }
  return rows;
}

std::string SuffixSums::verdict(const Gpu&, const Input&, const std::vector<Row>& rows) {
  const Row* best = nullptr; // of those whose sums are right
  for (const Row& row : rows)
    if (row.right.rfind("yes", 0) == 0 && (best == nullptr || row.cycles < best->cycles)) best = &row;
  const auto name = [](const Row& row) { return names(row.version)[static_cast<std::size_t>(row.version)]; };
  const auto cycles = [](const Row& row) { return in_words(row.cycles.value, "cycles"); };
  if (best == nullptr)
    return fmt::format("{} takes {} for a scan of {}, but its sums are not sure to be right.",
                       name(rows.front()), cycles(rows.front()), in_words(rows.front().n, "numbers"));
  std::string text = fmt::format("{} takes {} for a scan of {}, bound by {}", name(*best), cycles(*best),
                                 in_words(best->n, "numbers"), binding(best->bound));
  if (rows.size() == 1) return text + ".";
  text = "Fastest that is right: " + text;
  if (best != &rows.front())
    text += fmt::format(". That is {} times as fast as {}", in_words(rows.front().cycles / best->cycles),
                        name(rows.front()));
  return text + ".";
}

template std::vector<SuffixSums::Row> SuffixSums::predict(const Gpu&, const Input&, Plain&);
template std::vector<SuffixSums::Row> SuffixSums::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
