#include "matmul.hpp"

#include "ladder_question.hpp"
#include "matmul_counts.hpp"
#include "matmul_dram.hpp"
#include "matmul_launches.hpp"
#include "matmul_partitions.hpp"
#include "matmul_tensor.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/bounds/peak.hpp"
#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/machine/caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

const ArithmeticUnit& arithmetic_unit_of(const Key<FlopsPerSecond>& peak) {
  const std::span<const ArithmeticUnit> all = arithmetic_units();
  return *std::find_if(all.begin(), all.end(),
                       [&](const ArithmeticUnit& unit) { return unit.peak.path == peak.path; });
}

using Rung = Matmul::Rung;

void check(const Gpu& gpu, const Matmul::Input& in) {
  constexpr double largest_n = 1e6, largest_tile = 64;
  if (in.n > largest_n) throw InputError("--n: at most 1 000 000 rows and columns");
  if (in.tile > largest_tile) throw InputError("--tile: at most 64 rows and columns");
  const Bytes matrices = 3 * in.n * in.n * Bytes{4};
  if (in.block && in.block->z != 1)
    throw InputError(
        fmt::format("--block {}: a block of the version 'naive' has two sides", in.block->text()));
  if (const auto memory = gpu.find(facts::dram_size); memory && matrices > memory->value)
    throw LaunchError(fmt::format("--n {:.0f}: three matrices of {} do not fit the {} of {}", in.n,
                                  format_quantity(matrices.value / 3, unit_of<Bytes>()),
                                  format_quantity(memory->value.value, unit_of<Bytes>()), gpu.name));
}

Shape naive_block_of(const Gpu& gpu) {
  const auto at_most = [&](const Key<Count>& key) {
    const auto known = gpu.find(key);
    return known ? std::llround(known->value) : 0;
  };
  return naive_block(at_most(facts::max_threads_per_block), at_most(facts::max_threads_per_sm));
}

// Why the GPU cannot run a version; empty where it can.
const Key<FlopsPerSecond>& peak_key(MatmulVersion version) {
  return version == MatmulVersion::tensor_bf16   ? facts::peak_bf16_tensor
         : version == MatmulVersion::tensor_tf32 ? facts::peak_tf32_tensor
                                                 : facts::peak_fp32;
}

std::string refused(const Gpu& gpu, const MatmulRung& rung) {
  if (on_tensor_units(rung.version)) {
    const double sms = gpu.at(facts::sm_count).value;
    if (gpu.architecture != "9.0")
      return "the tensor versions are written for compute capability 9.0 (wgmma)";
    if (sms < static_cast<double>(rung.cluster))
      return fmt::format("{} runs in clusters of {} blocks, each on an SM of its own; {} has {:g}",
                         names(rung.version)[static_cast<std::size_t>(rung.version)], rung.cluster, gpu.name,
                         sms);
    return "";
  }
  return refusal(gpu, {.threads_per_block = static_cast<Count>(rung.threads),
                       .registers_per_thread = rung.registers,
                       .shared_per_block = Bytes{rung.shared}});
}

// Whether each thread's words go to device memory and its addresses are dealt to partitions in turn.
bool is_dealt(const Gpu& gpu) {
  const auto mapping = gpu.find(facts::dram_mapping);
  return !has_l2(gpu) && mapping && mapping->value == "interleaved";
}

// The time that blocks take which wait for device memory, all of them, and so go through k in step.
template <class T>
Seconds time_in_step(const Gpu& gpu, const MatmulRung& rung, Count n, Count resident, T& trace) {
  const DealtMemory memory{.load = coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard),
                           .partitions = std::llround(value_of(trace.fact(gpu, facts::dram_partitions))),
                           .interleave =
                               std::llround(value_of(trace.fact(gpu, facts::dram_interleave)).value),
                           .bandwidth = value_of(read_bandwidth(gpu, trace)).value,
                           .segment_rate = value_of(trace.cost(gpu, facts::dram_segment_rate)).value,
                           .resident = std::llround(resident * value_of(trace.fact(gpu, facts::sm_count)))};
  return value_of(trace.define("in_step", "of the busiest partition, were all blocks at the same step of k",
                               trace.number(busiest_partition_time(rung, std::llround(n), memory))));
}

// Of a version without tensor units, by its machine code.
template <class T>
void time_code(Rung& row, const Gpu& gpu, const MatmulRung& rung, RungViews& views, T& trace) {
  const std::int64_t n = std::llround(row.n);
  const KernelLaunch launch = matmul_launch(rung, n);
  const KernelCode& code = known_kernel("matmul", matmul_kernel(rung, n), gpu.capability());
  const KernelTime found = kernel_time(gpu, ladder_question(code, launch, views.simulated()), trace);
  views.add(row.version, code, found);
  row.time = found.time;
  row.bound = found.bound;
  row.resident = found.resident;
  row.occupancy = found.occupancy.occupancy;
  row.fma = matmul_fma(rung, row.n);
  row.sectors = std::round(found.counts.load_transactions + found.counts.store_transactions);
  row.wavefronts = std::round(found.counts.shared_wavefronts);
  if (is_dealt(gpu) && found.bound == "device memory")
    if (const Seconds in_step = time_in_step(gpu, rung, row.n, row.resident, trace); in_step > row.time) {
      row.time = in_step;
      row.bound = "the busiest partition";
    }
  const auto bytes = trace.define("loaded_per_flop", "bytes of the loads' transactions for each flop",
                                  trace.number(Bytes(found.counts.load_moved)) /
                                      trace.number(Flops(2 * row.n * row.n * row.n)));
  row.transaction_bound =
      value_of(trace.define("transaction_bound", "flop/s that device memory allows for them, without caches",
                            trace.fact(gpu, facts::dram_bandwidth) / bytes));
}

template <class T> void time_tensor(Rung& row, const Gpu& gpu, const MatmulRung& rung, T& trace) {
  const Occupancy held = occupancy(gpu, {.threads_per_block = static_cast<Count>(rung.threads),
                                         .registers_per_thread = rung.registers,
                                         .shared_per_block = Bytes{rung.shared}});
  const TensorTime tensor = tensor_time(gpu, rung, row.n, trace);
  const TensorCounts counts = tensor_counts(rung, row.n);
  row.time = tensor.time;
  row.bound = tensor.bound;
  row.resident = held.blocks;
  row.occupancy = held.occupancy;
  row.fma = counts.fma;
  row.sectors = counts.sectors;
  row.wavefronts = counts.wavefronts;
}

// No faster than the peak, which --set may have taken below what the units are simulated with.
template <class T> void keep_below(Rung& row, const FlopsPerSecond peak, T& trace) {
  const Seconds least = Flops(2 * row.n * row.n * row.n) / peak;
  if (!(row.time < least)) return;
  row.time = value_of(trace.define(fmt::format("T({})", row.version), "at the peak", trace.number(least)));
  row.bound = "the peak";
}

// What follows from the tile alone.
template <class T> void balance(Rung& row, const Gpu& gpu, const MatmulRung& rung, T& trace) {
  const bool naive = rung.version == MatmulVersion::naive;
  const auto rows = static_cast<double>(rung.rows), columns = static_cast<double>(rung.columns),
             depth = static_cast<double>(rung.depth);
  const double per_product = naive ? 2 : 1 / rows + 1 / columns;
  row.words = row.n * row.n * row.n * per_product;
  const auto bytes = trace.define("bytes_per_flop", "loaded for each flop",
                                  trace.number(Bytes(per_product * rung.word)) / trace.number(Flops(2)));
  row.bytes_per_flop = value_of(bytes).value;
  const double shared =
      naive ? 2 : 1 / (rows * static_cast<double>(rung.cluster)) + 1 / columns; // by a cluster
  row.intensity = Flops(2) / Bytes(shared * rung.word);
  row.block_words = naive ? 2 * rows * columns : depth * (rows + columns);
  row.block_flops = 2 * rows * columns * depth;
  row.bandwidth_bound =
      value_of(trace.define("bandwidth_bound", "flop/s that device memory allows without caches",
                            trace.fact(gpu, facts::dram_bandwidth) / bytes));
  const Key<FlopsPerSecond>& peak = peak_key(rung.version);
  row.precision = rung.version == MatmulVersion::tensor_bf16   ? "bf16"
                  : rung.version == MatmulVersion::tensor_tf32 ? "tf32"
                                                               : "fp32";
  const CoalescingRule load = coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard);
  row.level = !load.cached ? "dram" : load.l1 && !on_tensor_units(rung.version) ? "l1" : "l2";
  if (gpu.record(peak.path) == nullptr) return;
  const ArithmeticUnit& unit = arithmetic_unit_of(peak);
  const auto roof = perfmodel::peak(gpu, unit, trace); // as --set leaves it
  row.of_roof = row.performance / value_of(roof);
  // A MUL beside a MAD is no part of a product; printed peaks of cc 1.x count it.
  const bool mad_mul = row.precision == "fp32" && gpu.record(facts::peak_fp32_mad_mul.path) != nullptr;
  const auto printed = trace.fact(gpu, mad_mul ? facts::peak_fp32_mad_mul : peak);
  row.bandwidth_needed =
      value_of(trace.define("bandwidth_needed", "for the printed peak, without caches", printed * bytes));
}

// The tensor units' matrices of bf16 are half as many bytes.
template <class T>
LeftByLink left_of(const Matmul::Input& in, const MatmulRung& rung, const Rung& row, T& trace) {
  const auto n = trace.input("n", in.n);
  return left_by_link(*in.link, row.version, row.time, 2.0 * n * n * trace.number(Bytes{rung.word}),
                      n * n * trace.number(Bytes{rung.out_word}), trace);
}

} // namespace

template <class T> Matmul::Tables Matmul::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(gpu, in);
  const Shape block = in.block.value_or(naive_block_of(gpu));
  if (!in.block && in.version.value_or(MatmulVersion::naive) == MatmulVersion::naive)
    trace.say("block(naive)", block.text(),
              block.y == block.x ? "blocks of 16 x 64 do not fill an SM" : "such blocks fill an SM");
  std::vector<Rung> rows;
  std::vector<LeftByLink> left;
  RungViews views{in.view};
  Unexplained<T> other(trace); // one version's machine code shows what goes into all of them
  for (std::size_t i = 0; i < names(MatmulVersion{}).size(); ++i) {
    const auto version = static_cast<MatmulVersion>(i);
    if (in.version && *in.version != version) continue;
    const MatmulRung rung = matmul_rung(version, static_cast<std::int64_t>(in.tile), block);
    if (const std::string why = refused(gpu, rung); !why.empty()) {
      const bool sized = version == MatmulVersion::naive || version == MatmulVersion::tiled; // by the user
      if (in.version || sized) throw LaunchError(why);
      continue;
    }
    Rung row{.version = std::string(names(version)[i]), .n = in.n, .tile = in.tile};
    row.blocks = matmul_blocks(rung, in.n).all();
    row.lines = rung.lines;
    if (on_tensor_units(version))
      time_tensor(row, gpu, rung, trace);
    else if (rows.empty())
      time_code(row, gpu, rung, views, trace);
    else
      time_code(row, gpu, rung, views, other.plain);
    if (!on_tensor_units(version))
      (void)trace.define(fmt::format("T({})", row.version), "of one product in a row of them",
                         trace.number(row.time));
    row.dram_bytes = matmul_dram_bytes(gpu, rung, in.n, row.resident, trace);
    if (gpu.record(peak_key(version)) != nullptr)
      keep_below(row, perfmodel::peak(gpu, arithmetic_unit_of(peak_key(version)), other.plain), trace);
    row.performance = Flops(2 * in.n * in.n * in.n) / row.time;
    balance(row, gpu, rung, trace);
    if (!rows.empty()) {
      row.gain = rows.back().time / row.time;
      row.total_gain = rows.front().time / row.time;
      row.gain_per_line = (row.total_gain - 1) / (row.lines - rows.front().lines);
    }
    if (in.link) left.push_back(left_of(in, rung, row, trace));
    rows.push_back(std::move(row));
  }
  views.check_any("the tensor versions are a sum over rounds of tiles, not simulated");
  return {std::move(rows),
          with_gains(std::move(left), "naive"),
          std::move(views.stalls),
          std::move(views.pipes),
          std::move(views.instead),
          std::move(views.code.counts),
          std::move(views.code.groups),
          std::move(views.timeline.strips),
          std::move(views.timeline.states),
          std::move(views.timeline.slices)};
}

std::string Matmul::verdict(const Gpu& gpu, const Input&, const Tables& rows) {
  const std::vector<Rung>& rungs = std::get<0>(rows);
  const std::vector<LeftByLink>& left = std::get<1>(rows);
  const auto faster = [](const Rung& a, const Rung& b) { return a.time < b.time; };
  const Rung& best = *std::min_element(rungs.begin(), rungs.end(), faster);
  std::string text = fmt::format("{} takes {} for {} x {}: {}", best.version, in_words(best.time),
                                 in_words(best.n), in_words(best.n), in_words(best.performance));
  if (!std::isnan(best.of_roof))
    text += fmt::format(", {} of its {} peak", in_percent(best.of_roof), best.precision);
  if (!best.bound.empty()) text += fmt::format(", bound by {}", best.bound);
  const std::string foreign = foreign_code("matmul", gpu.capability());
  const std::string code = foreign.empty() ? "" : " in " + foreign;
  if (rungs.size() == 1) return text + (code.empty() ? "." : "," + code + ".");
  text = fmt::format("Fastest of {}{}: {}", in_words(static_cast<double>(rungs.size())), code, text);
  constexpr double alike = 1.005; // which would be "1 times as fast"
  if (best.total_gain >= alike)
    text += fmt::format(". That is {} times as fast as {}{}", in_words(best.total_gain),
                        rungs.front().version, left_in_words(left, best.version));
  return text + ".";
}

template Matmul::Tables Matmul::predict(const Gpu&, const Input&, Plain&);
template Matmul::Tables Matmul::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
