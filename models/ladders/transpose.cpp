#include "transpose.hpp"

#include "transpose_time.hpp"

#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace perfmodel {

namespace {

using Version = TransposeVersion;

constexpr Bytes word{4};

void check(const Gpu& gpu, double n) {
  const Bytes both = 2 * n * n * word;
  if (const auto memory = gpu.find(facts::dram_size); memory && both > memory->value)
    throw LaunchError(fmt::format("--n {:.0f}: two matrices, {}, do not fit the {} of {}", n,
                                 format_quantity(both.value, unit_of<Bytes>()),
                                 format_quantity(memory->value.value, unit_of<Bytes>()), gpu.name));
}

// Why the device cannot run it; "" where it can.
std::string refused(const Gpu& gpu, Version version, const Launch& launch, double n) {
  // The tensor memory accelerator came with compute capability 9.0: no rate that a file could hold.
  if (version == Version::tensor_copy && std::strtod(gpu.architecture.c_str(), nullptr) < 9)
    return fmt::format("{} has no tensor memory accelerator: that came with compute capability 9.0",
                       gpu.name);
  if (version == Version::tensor_copy && static_cast<std::int64_t>(n) % 4 != 0)
    return fmt::format("--n {:.0f}: tensor copies need rows of a multiple of 16 bytes", n);
  return refusal(gpu, launch);
}

Launch launch_of(const TransposeKernel& kernel) {
  // 16 registers: nvcc takes 8 to 32, which limits no GPU to fewer blocks than shared memory and threads do.
  return {.threads_per_block = static_cast<double>(kernel.threads),
          .registers_per_thread = 16,
          .shared_per_block =
              Bytes{static_cast<double>(kernel.side * kernel.pitch) * word.value + double(kernel.overhead)}};
}

// 0 where loads and stores pass no L2.
template <class T>
double bytes_of_request(const Gpu& gpu, const Key<BytesPerSecond>& bandwidth, const Key<PerSecond>& rate,
                        T& trace) {
  if (!gpu.has_cost(rate)) return 0;
  return value_of(trace.cost(gpu, bandwidth)).value / value_of(trace.cost(gpu, rate)).value;
}

std::string bound_text(const std::string& bound, const TransposeCounts& counts,
                       const TransposeKernel& kernel) {
  if (bound == "shared memory and L1" && counts.wavefronts > counts.least_wavefronts)
    return "bank conflicts of shared memory";
  if (bound == "stores to L2" && kernel.writes_columns) return "L2, stores of single words";
  return bound;
}

// With the sectors that are filled up and written once more. L2 sends nothing away before it is full.
template <class T>
Bytes bytes_moved(const Gpu& gpu, const TransposeMemory& memory, double sent_early, T& trace) {
  const auto once = trace.number(Bytes{memory.bytes});
  if (sent_early == 0 || gpu.record(facts::l2_size.path) == nullptr) return value_of(once);
  const auto full =
      trace.define("full", "share of the bytes that come when L2 is full",
                   greater(trace.number(1.0) - trace.fact(gpu, facts::l2_size) / once, trace.number(0.0)));
  return value_of(trace.define("dram_bytes", "each sector once, and those sent early, once L2 is full, again",
                               once + trace.number(sent_early) * full * once));
}

template <class T>
Transpose::Rung rung_of(const Gpu& gpu, Version version, Count rows, SmModel sm, T& trace) {
  const auto n = static_cast<std::int64_t>(rows);
  const std::string name(names(version)[static_cast<std::size_t>(version)]);
  const auto sms = trace.fact(gpu, facts::sm_count);
  const auto turnover = trace.cost(gpu, facts::kernel_turnover);
  const double line_rate =
      gpu.has_cost(facts::l1_line_rate) ? value_of(trace.cost(gpu, facts::l1_line_rate)).value : 0; // no L1
  const auto side = trace.input("n", rows);
  const auto bytes = trace.define("bytes", "read and written", 2.0 * side * side * trace.number(word));

  const TransposeKernel kernel = kernel_of(version);
  const Occupancy occupied = occupancy(gpu, launch_of(kernel));
  const TransposeMemory memory = transpose_memory(gpu, kernel, n, occupied.blocks * value_of(sms), trace);
  // L2 hands out what is read beside taking in what is written.
  const auto roof =
      memory.bytes == 0 ? 2.0 * trace.cost(gpu, facts::sustained_l2) : copy_bandwidth(gpu, trace);
  const double per_second = value_of(sms) * sm.clock.value * 2 / value_of(bytes).value;
  const double least = sm.turning > 0 ? sm.read_cycles : 0; // of a stream of reads
  const auto beside_turns = [&](double seconds) {
    return seconds == 0 ? 0 : std::max(least, seconds * per_second - sm.turning);
  };
  sm.read_cycles = beside_turns(memory.read);
  sm.write_cycles = beside_turns(memory.written);
  sm.machine.units[sm.dram].piece = 128 * sm.read_cycles / static_cast<double>(sm.machine.sms);
  const TransposeMachine machine{
      .sm = sm,
      .banks = banks_of(gpu, std::nullopt, trace),
      .load = coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard),
      .store = coalescing_rule(gpu, GlobalAccess::store, LoadCache::standard),
      .line_rate = line_rate,
      .bytes_per_gather = bytes_of_request(gpu, facts::sustained_l2, facts::l2_gather_rate, trace),
      .bytes_per_scatter = bytes_of_request(gpu, facts::sustained_l2_write, facts::l2_scatter_rate, trace),
      .in_l2 = memory.bytes == 0};
  const double tiles = rows * rows / static_cast<double>(kernel.side * kernel.side);
  const TransposeTime found = transpose_time(gpu, machine, transpose_program(machine, kernel, n), memory,
                                             tiles, occupied.blocks, trace);
  const auto time = trace.define(fmt::format("T({})", name), "with the turn of launches",
                                 greater(trace.number(found.time), bytes / roof) + turnover);
  const TransposeCounts counts = transpose_counts(machine, kernel, n);
  return {.version = name,
          .n = rows,
          .time = value_of(time),
          .bandwidth = value_of(bytes / time),
          .of_roof = value_of(bytes / time) / value_of(roof),
          .load_transactions = static_cast<double>(counts.load_transactions),
          .store_transactions = static_cast<double>(counts.store_transactions),
          .wavefronts = static_cast<double>(counts.wavefronts),
          .dram_bytes = bytes_moved(gpu, memory, found.sent_early, trace),
          .resident = occupied.blocks,
          .bound = bound_text(found.bound, counts, kernel)};
}

// The versions that the device can run.
template <class T>
std::vector<Transpose::Rung> ladder(const Gpu& gpu, const Transpose::Input& in, const SmModel& sm, T& trace) {
  std::vector<Transpose::Rung> rungs;
  std::optional<Seconds> naive;
  for (std::size_t i = 0; i < names(Version{}).size(); ++i) {
    const auto version = static_cast<Version>(i);
    if (in.version ? *in.version != version : !is_rung(version)) continue;
    if (const std::string why = refused(gpu, version, launch_of(kernel_of(version)), in.n); !why.empty()) {
      if (in.version) throw LaunchError(why);
      trace.say(names(version)[i], "left out", why);
      continue;
    }
    Transpose::Rung rung = rung_of(gpu, version, in.n, sm, trace);
    if (!rungs.empty()) rung.gain = rungs.back().time / rung.time;
    if (version == Version::naive) naive = rung.time;
    if (naive) rung.total_gain = *naive / rung.time;
    rungs.push_back(std::move(rung));
  }
  return rungs;
}

// Of the whole ladder, which lacks the transpose by tiles in diagonal order without padding.
template <class T>
std::vector<FixOrder> orders(const Gpu& gpu, const std::vector<Transpose::Rung>& rungs, const SmModel& sm,
                             T& trace) {
  const auto of = [&](Version version) -> FixedKernel {
    const std::string_view name = names(version)[static_cast<std::size_t>(version)];
    const auto rung =
        std::find_if(rungs.begin(), rungs.end(), [&](const auto& r) { return r.version == name; });
    return rung == rungs.end() ? FixedKernel{} : FixedKernel{rung->time, rung->bound};
  };
  const FixedKernel tiled = of(Version::tiled), padded = of(Version::padded), both = of(Version::diagonal);
  if (tiled.bound.empty() || padded.bound.empty() || both.bound.empty()) return {};
  const Transpose::Rung diagonal = rung_of(gpu, Version::diagonal_unpadded, rungs.front().n, sm, trace);
  return fix_orders(tiled, padded, {diagonal.time, diagonal.bound}, both);
}

template <class T>
std::vector<LeftByLink> left_of(const Transpose::Input& in, const std::vector<Transpose::Rung>& rungs,
                                T& trace) {
  std::vector<LeftByLink> rows;
  if (!in.link) return rows;
  const auto n = trace.input("n", in.n);
  const auto matrix = n * n * trace.number(word);
  for (const Transpose::Rung& rung : rungs)
    rows.push_back(left_by_link(*in.link, rung.version, rung.time, matrix, matrix, trace));
  return with_gains(std::move(rows), "naive");
}

} // namespace

template <class T> Transpose::Tables Transpose::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(gpu, in.n);
  const SmModel sm = sm_model(gpu, {}, MemoryUse::copy, trace);
  std::vector<Rung> rungs = ladder(gpu, in, sm, trace);
  std::vector<FixOrder> fixes = in.version ? std::vector<FixOrder>{} : orders(gpu, rungs, sm, trace);
  std::vector<LeftByLink> left = left_of(in, rungs, trace);
  return {std::move(rungs), std::move(fixes), std::move(left)};
}

std::string Transpose::verdict(const Gpu&, const Input&, const Tables& rows) {
  const std::vector<Rung>& rungs = std::get<0>(rows);
  const auto is_copy = [](const Rung& rung) {
    return rung.version.find("copy") != std::string::npos || rung.version == "strided-both";
  };
  if (rungs.empty()) return "No version runs there.";
  const Rung* best = &rungs.front(); // of the transposes, where there are any
  for (const Rung& rung : rungs)
    if (std::pair(is_copy(rung), rung.time) < std::pair(is_copy(*best), best->time)) best = &rung;
  std::string text = fmt::format("{} takes {} for {} x {}: {}, {} of a copy's bandwidth, bound by {}",
                                 best->version, in_words(best->time), in_words(best->n), in_words(best->n),
                                 in_words(best->bandwidth), in_percent(best->of_roof), binding(best->bound));
  if (rungs.size() == 1) return text + ".";
  text = "Fastest transpose: " + text;
  if (!std::isnan(best->total_gain) && best->version != "naive")
    text += fmt::format(". That is {} times as fast as naive{}", in_words(best->total_gain),
                        left_in_words(std::get<2>(rows), best->version));
  return text + ".";
}

template Transpose::Tables Transpose::predict(const Gpu&, const Input&, Plain&);
template Transpose::Tables Transpose::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
