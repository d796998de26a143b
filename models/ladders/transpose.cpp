#include "transpose.hpp"

#include "transpose_cost.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/trace.hpp"
#include "models/machine/caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace perfmodel {

namespace {

using Version = TransposeVersion;

constexpr Bytes word{4};

TransposeSize size_of(const Transpose::Input& in) {
  return {static_cast<std::int64_t>(in.n), static_cast<std::int64_t>(in.pitch.value_or(in.n)),
          static_cast<std::int64_t>(in.tile)};
}

void check(const Gpu& gpu, const Transpose::Input& in) {
  const TransposeSize size = size_of(in);
  if (size.pitch < size.n)
    throw LaunchError(fmt::format("--pitch {}: rows of {} words would overlap", size.pitch, size.n));
  if (std::find(transpose_tiles.begin(), transpose_tiles.end(), size.tile) == transpose_tiles.end())
    throw InputError(fmt::format("--tile {}: the kernels are compiled for tiles of {} words a side",
                                 size.tile, fmt::join(transpose_tiles, ", ")));
  if (in.version && !has_tile_choice(*in.version) && size.tile != TransposeSize{}.tile)
    throw LaunchError(fmt::format("--tile {}: the version '{}' has no choice of tiles", size.tile,
                                  names(*in.version)[static_cast<std::size_t>(*in.version)]));
  const Bytes both = 2 * in.n * in.pitch.value_or(in.n) * word;
  if (const auto memory = gpu.find(facts::dram_size); memory && both > memory->value)
    throw LaunchError(fmt::format("--n {}: two matrices, {}, do not fit the {} of {}", size.n,
                                  format_quantity(both.value, unit_of<Bytes>()),
                                  format_quantity(memory->value.value, unit_of<Bytes>()), gpu.name));
}

// Why the device cannot run it; "" where it can.
std::string refused(const Gpu& gpu, Version version, const TransposeSize& size) {
  if (version == Version::tensor_copy && gpu.capability() < tensor_memory_capability)
    return fmt::format("{} has no tensor memory accelerator: that came with compute capability 9.0",
                       gpu.name);
  if (version == Version::tensor_copy && size.pitch % 4 != 0)
    return fmt::format("{} {}: tensor copies need rows of a multiple of 16 bytes",
                       size.pitch == size.n ? "--n" : "--pitch", size.pitch);
  return refusal(gpu, transpose_block(gpu, version, size));
}

// `costs` is the trace that the version's costs are explained by.
template <class First, class T>
Transpose::Rung rung_of(const Gpu& gpu, Version version, const TransposeSize& size, RungViews& views,
                        First& costs, T& trace) {
  const std::string name(names(version)[static_cast<std::size_t>(version)]);
  const auto side = trace.input("n", static_cast<Count>(size.n));
  const auto bytes = trace.define("bytes", "read and written", 2.0 * side * side * trace.number(word));
  const TransposeCost cost = transpose_cost(gpu, version, size, views, costs);
  // L2 hands out what is read beside taking in what is written.
  const auto roof =
      cost.dram_bytes > Bytes{0} ? copy_bandwidth(gpu, trace) : 2.0 * trace.cost(gpu, facts::sustained_l2);
  const auto turn = trace.cost(gpu, facts::kernel_turnover);
  const Seconds with_turn = cost.turns ? cost.time + value_of(turn) : cost.time;
  const auto time = trace.define(fmt::format("T({})", name), "with the turn of launches",
                                 greater(trace.number(with_turn), bytes / roof + turn));
  return {.version = name,
          .n = static_cast<Count>(size.n),
          .tile = static_cast<Count>(size.tile),
          .pitch = static_cast<Count>(size.pitch),
          .time = value_of(time),
          .bandwidth = value_of(bytes / time),
          .of_roof = value_of(bytes / time) / value_of(roof),
          .load_transactions = std::round(cost.counts.load_transactions),
          .store_transactions = std::round(cost.counts.store_transactions),
          .wavefronts = std::round(cost.counts.shared_wavefronts),
          .dram_bytes = cost.dram_bytes > Bytes{0} ? Bytes{std::round(cost.dram_bytes.value)} : Bytes{absent},
          .row_padding = size.pitch == size.n
                             ? Bytes{absent}
                             : 2.0 * static_cast<double>(size.n * (size.pitch - size.n)) * word,
          .resident = cost.resident,
          .bound = cost.bound};
}

// The versions that the device can run.
template <class T>
std::vector<Transpose::Rung> ladder(const Gpu& gpu, const Transpose::Input& in, RungViews& views, T& trace) {
  std::vector<Transpose::Rung> rungs;
  Unexplained<T> other(trace); // one version shows what goes into all of them
  std::optional<Seconds> naive;
  const TransposeSize size = size_of(in);
  for (std::size_t i = 0; i < names(Version{}).size(); ++i) {
    const auto version = static_cast<Version>(i);
    if (in.version ? *in.version != version : !is_rung(version)) continue;
    if (const std::string why = refused(gpu, version, size); !why.empty()) {
      if (in.version) throw LaunchError(why);
      trace.say(names(version)[i], "left out", why);
      continue;
    }
    Transpose::Rung rung = rungs.empty() ? rung_of(gpu, version, size, views, trace, trace)
                                         : rung_of(gpu, version, size, views, other.plain, trace);
    if (!rungs.empty()) rung.gain = rungs.back().time / rung.time;
    if (version == Version::naive) naive = rung.time;
    if (naive) rung.total_gain = *naive / rung.time;
    rungs.push_back(std::move(rung));
  }
  return rungs;
}

// Of the whole ladder, which lacks the transpose by tiles in diagonal order without padding.
template <class T>
std::vector<FixOrder> orders(const Gpu& gpu, const TransposeSize& size,
                             const std::vector<Transpose::Rung>& rungs, T& trace) {
  const auto of = [&](Version version) -> FixedKernel {
    const std::string_view name = names(version)[static_cast<std::size_t>(version)];
    const auto rung =
        std::find_if(rungs.begin(), rungs.end(), [&](const auto& r) { return r.version == name; });
    return rung == rungs.end() ? FixedKernel{} : FixedKernel{rung->time, rung->bound};
  };
  const FixedKernel tiled = of(Version::tiled), padded = of(Version::padded), both = of(Version::diagonal);
  if (tiled.bound.empty() || padded.bound.empty() || both.bound.empty()) return {};
  Unexplained<T> other(trace);
  RungViews unseen;
  const Transpose::Rung diagonal = rung_of(gpu, Version::diagonal_unpadded, size, unseen, other.plain, trace);
  // Padding takes the bank conflicts of the transposed tile away, diagonal order the camping of partitions.
  return fix_orders({"padding", padded}, {"diagonal order", {diagonal.time, diagonal.bound}}, tiled, both);
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
  check(gpu, in);
  RungViews views{in.view};
  std::vector<Rung> rungs = ladder(gpu, in, views, trace);
  views.check_any(
      has_l2(gpu) ? "none of these versions is simulated warp by warp"
                  : gpu.name + " has no L2, and the time of its transposes is counted from the partitions of "
                               "device memory and from bank conflicts, not simulated warp by warp; "
                               "the column 'bound' says which of them binds");
  std::vector<FixOrder> fixes = in.version ? std::vector<FixOrder>{} : orders(gpu, size_of(in), rungs, trace);
  std::vector<LeftByLink> left = left_of(in, rungs, trace);
  std::vector<FastestTranspose> fastest = fastest_of(rungs);
  return views.take_behind(std::move(rungs), std::move(fastest), std::move(fixes), std::move(left));
}

template Transpose::Tables Transpose::predict(const Gpu&, const Input&, Plain&);
template Transpose::Tables Transpose::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
