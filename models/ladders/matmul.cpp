#include "matmul.hpp"

#include "matmul_cost.hpp"
#include "matmul_counts.hpp"
#include "matmul_dram.hpp"
#include "matmul_tensor.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/bounds/peak.hpp"
#include "models/concurrency/occupancy.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

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

const Key<FlopsPerSecond>& peak_key(MatmulVersion version) {
  return version == MatmulVersion::tensor_bf16   ? facts::peak_bf16_tensor
         : version == MatmulVersion::tensor_tf32 ? facts::peak_tf32_tensor
                                                 : facts::peak_fp32;
}

// Of a version without tensor units, by its machine code.
template <class T>
void time_code(Rung& row, const Gpu& gpu, const MatmulRung& rung, RungViews& views, T& trace) {
  const MatmulCost cost = matmul_cost(gpu, rung, row.n, views.simulated(), trace);
  const KernelTime& found = cost.launch;
  views.add(row.version, matmul_code(gpu, rung, row.n), found);
  row.time = cost.time;
  row.bound = cost.bound;
  row.resident = found.resident;
  row.occupancy = found.occupancy.occupancy;
  row.fma = matmul_fma(rung, row.n);
  row.sectors = std::round(found.counts.load_transactions + found.counts.store_transactions);
  row.wavefronts = std::round(found.counts.shared_wavefronts);
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

namespace {

// What is shown instead of the ladder.
template <class T> Matmul::Tables shown(const Gpu& gpu, const Matmul::Input& in, Shape block, T& trace) {
  const auto tile = static_cast<std::int64_t>(in.tile);
  const std::string_view show = names(in.show)[static_cast<std::size_t>(in.show)];
  if (in.view != RungView::summary || in.link || in.lines)
    throw InputError(fmt::format("--show {}: --view, --link and --lines are of the ladder", show));
  if (in.version && *in.version != MatmulVersion::tiled &&
      (in.show != MatmulShow::choices || *in.version != MatmulVersion::naive))
    throw InputError(fmt::format("--show {}: not of the version '{}'", show,
                                 names(*in.version)[static_cast<std::size_t>(*in.version)]));
  Matmul::Tables tables;
  if (in.show == MatmulShow::choices) {
    std::get<std::vector<MatmulChoice>>(tables) = matmul_choices(gpu, in.n, in.version, block, tile, trace);
  } else if (in.show == MatmulShow::barriers) {
    const MatmulRung rung = matmul_rung(MatmulVersion::tiled, tile, block);
    if (const std::string why = matmul_refused(gpu, rung); !why.empty()) throw LaunchError(why);
    std::get<std::vector<MatmulBarrier>>(tables) = matmul_barriers(gpu, rung, in.n);
  } else {
    MatmulOrder order = matmul_order(gpu, in.n, block, tile, trace);
    std::get<std::vector<MatmulHelp>>(tables) = std::move(order.helps);
    std::get<std::vector<FixOrder>>(tables) = std::move(order.orders);
  }
  return tables;
}

double lines_of(const Matmul::Input& in, MatmulVersion version, const MatmulRung& rung) {
  const auto at = static_cast<std::size_t>(version);
  if (!in.lines) return rung.lines;
  return at < in.lines->of.size() ? in.lines->of[at] : absent;
}

} // namespace

template <class T> Matmul::Tables Matmul::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(gpu, in);
  const Shape block = in.block.value_or(naive_block_of(gpu));
  if (in.show != MatmulShow::versions) return shown(gpu, in, block, trace);
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
    if (const std::string why = matmul_refused(gpu, rung); !why.empty()) {
      const bool sized = version == MatmulVersion::naive || version == MatmulVersion::tiled; // by the user
      if (in.version || sized) throw LaunchError(why);
      continue;
    }
    Rung row{.version = std::string(names(version)[i]), .n = in.n, .tile = in.tile};
    row.blocks = matmul_blocks(rung, in.n).all();
    row.lines = lines_of(in, version, rung);
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
      row.gain_per_line = row.total_gain / (row.lines / rows.front().lines);
    }
    if (in.link) left.push_back(left_of(in, rung, row, trace));
    rows.push_back(std::move(row));
  }
  views.check_any("the tensor versions are a sum over rounds of tiles, not simulated");
  return views.take_behind(std::move(rows), with_gains(std::move(left), "naive"), std::vector<MatmulChoice>{},
                           std::vector<MatmulBarrier>{}, std::vector<MatmulHelp>{}, std::vector<FixOrder>{});
}

template Matmul::Tables Matmul::predict(const Gpu&, const Input&, Plain&);
template Matmul::Tables Matmul::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
