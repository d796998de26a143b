#include "transpose.hpp"

#include "ladder_question.hpp"
#include "transpose_boxes.hpp"
#include "transpose_uncached.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/trace.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/machine/caches.hpp"
#include "models/simulate/launch_samples.hpp"
#include "models/simulate/sent_early.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

const KernelCode& code_of(const Gpu& gpu, Version version, double n) {
  return known_kernel("transpose", transpose_kernel(version, static_cast<std::int64_t>(n)), gpu.capability());
}

Launch block_of(const Gpu& gpu, Version version, double n) {
  if (version == Version::tensor_copy) return box_launch();
  const KernelCode& code = code_of(gpu, version, n);
  return {.threads_per_block = static_cast<double>(transpose_launch(version, 1).threads()),
          .registers_per_thread = has_l2(gpu) ? static_cast<Count>(*code.registers) : uncached_registers,
          .shared_per_block = Bytes(static_cast<double>(*code.shared))};
}

// Why the device cannot run it; "" where it can.
std::string refused(const Gpu& gpu, Version version, double n) {
  if (version == Version::tensor_copy && gpu.capability() < tensor_memory_capability)
    return fmt::format("{} has no tensor memory accelerator: that came with compute capability 9.0",
                       gpu.name);
  if (version == Version::tensor_copy && static_cast<std::int64_t>(n) % 4 != 0)
    return fmt::format("--n {:.0f}: tensor copies need rows of a multiple of 16 bytes", n);
  return refusal(gpu, block_of(gpu, version, n));
}

// What one version takes, whichever way it is found.
struct TransposeCost {
  Seconds time{0}; // of one launch of several in a row, but for the turn where `turns` says so
  bool turns = false;
  TraceCounts counts;
  Bytes dram_bytes{0};
  Count resident = 0;
  std::string bound;
};

// What launches in a row move of device memory: what the one before has left, too, and the sectors that are
// filled up and written once more. L2 sends nothing away before it is full.
template <class T> Bytes bytes_moved(const Gpu& gpu, const KernelTime& found, T& trace) {
  const Bytes stored = found.dram_written + found.dram_left;
  const auto once = trace.number(found.dram_read + stored);
  if (!(value_of(once) > Bytes{0})) return value_of(once);
  const double early = share_sent_early(gpu, found, trace);
  if (early == 0 || gpu.record(facts::l2_size.path) == nullptr) return value_of(once);
  const auto full =
      trace.define("full", "share of the bytes that come when L2 is full",
                   greater(trace.number(1.0) - trace.fact(gpu, facts::l2_size) / once, trace.number(0.0)));
  return value_of(trace.define("dram_bytes", "each sector once, and those sent early, once L2 is full, again",
                               once + trace.number(2 * early) * full * trace.number(stored)));
}

// What device memory has to do there.
std::string bound_of_launch(const KernelTime& found) {
  if (found.bound != "device memory") return found.bound;
  if (found.short_stores > 0.5)
    return found.short_loads > 0.5 ? "device memory, line by line in diagonal order"
                                   : "device memory, written line by line";
  return found.long_stores > 0.5 ? "device memory, written in runs" : found.bound;
}

template <class T>
TransposeCost cost_of(const Gpu& gpu, Version version, Count rows, RungViews& views, T& trace) {
  const auto n = static_cast<std::int64_t>(rows);
  if (version == Version::tensor_copy) {
    const BoxTranspose found = transpose_by_boxes(gpu, n, trace);
    return {.time = found.time,
            .counts = {.shared_wavefronts = found.wavefronts, .shared_least = found.least_wavefronts},
            .dram_bytes = found.dram_bytes,
            .resident = found.resident,
            .bound = found.bound};
  }
  const KernelCode& code = code_of(gpu, version, rows);
  const KernelLaunch launch = transpose_launch(version, n);
  if (!has_l2(gpu)) {
    const TraceCounts asked = launch_counts(gpu, code, launch, trace);
    const UncachedTranspose found =
        uncached_transpose(gpu, version, n, asked, Bytes(static_cast<double>(*code.shared)), trace);
    return {.time = found.time,
            .turns = true,
            .counts = asked,
            .dram_bytes = found.dram_bytes,
            .resident = found.resident,
            .bound = found.bound};
  }
  const KernelTime found = kernel_time(gpu, ladder_question(code, launch, views.simulated()), trace);
  views.add(names(version)[static_cast<std::size_t>(version)], code, found);
  return {.time = found.time,
          .counts = found.counts,
          .dram_bytes = bytes_moved(gpu, found, trace),
          .resident = found.resident,
          .bound = bound_of_launch(found)};
}

std::string bound_text(const TransposeCost& cost, Version version) {
  if (cost.bound == "shared memory and L1" && cost.counts.shared_wavefronts > cost.counts.shared_least)
    return "bank conflicts of shared memory";
  if (cost.bound == "stores to L2" && stores_single_words(version)) return "L2, stores of single words";
  return cost.bound;
}

// `costs` is the trace that the version's costs are explained by.
template <class First, class T>
Transpose::Rung rung_of(const Gpu& gpu, Version version, Count rows, RungViews& views, First& costs,
                        T& trace) {
  const std::string name(names(version)[static_cast<std::size_t>(version)]);
  const auto side = trace.input("n", rows);
  const auto bytes = trace.define("bytes", "read and written", 2.0 * side * side * trace.number(word));
  const TransposeCost cost = cost_of(gpu, version, rows, views, costs);
  // L2 hands out what is read beside taking in what is written.
  const auto roof =
      cost.dram_bytes > Bytes{0} ? copy_bandwidth(gpu, trace) : 2.0 * trace.cost(gpu, facts::sustained_l2);
  const auto turn = trace.cost(gpu, facts::kernel_turnover);
  const Seconds with_turn = cost.turns ? cost.time + value_of(turn) : cost.time;
  const auto time = trace.define(fmt::format("T({})", name), "with the turn of launches",
                                 greater(trace.number(with_turn), bytes / roof + turn));
  return {.version = name,
          .n = rows,
          .time = value_of(time),
          .bandwidth = value_of(bytes / time),
          .of_roof = value_of(bytes / time) / value_of(roof),
          .load_transactions = std::round(cost.counts.load_transactions),
          .store_transactions = std::round(cost.counts.store_transactions),
          .wavefronts = std::round(cost.counts.shared_wavefronts),
          .dram_bytes = cost.dram_bytes > Bytes{0} ? Bytes{std::round(cost.dram_bytes.value)} : Bytes{absent},
          .resident = cost.resident,
          .bound = bound_text(cost, version)};
}

// The versions that the device can run.
template <class T>
std::vector<Transpose::Rung> ladder(const Gpu& gpu, const Transpose::Input& in, RungViews& views, T& trace) {
  std::vector<Transpose::Rung> rungs;
  Unexplained<T> other(trace); // one version shows what goes into all of them
  std::optional<Seconds> naive;
  for (std::size_t i = 0; i < names(Version{}).size(); ++i) {
    const auto version = static_cast<Version>(i);
    if (in.version ? *in.version != version : !is_rung(version)) continue;
    if (const std::string why = refused(gpu, version, in.n); !why.empty()) {
      if (in.version) throw LaunchError(why);
      trace.say(names(version)[i], "left out", why);
      continue;
    }
    Transpose::Rung rung = rungs.empty() ? rung_of(gpu, version, in.n, views, trace, trace)
                                         : rung_of(gpu, version, in.n, views, other.plain, trace);
    if (!rungs.empty()) rung.gain = rungs.back().time / rung.time;
    if (version == Version::naive) naive = rung.time;
    if (naive) rung.total_gain = *naive / rung.time;
    rungs.push_back(std::move(rung));
  }
  return rungs;
}

// Of the whole ladder, which lacks the transpose by tiles in diagonal order without padding.
template <class T>
std::vector<FixOrder> orders(const Gpu& gpu, const std::vector<Transpose::Rung>& rungs, T& trace) {
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
  const Transpose::Rung diagonal =
      rung_of(gpu, Version::diagonal_unpadded, rungs.front().n, unseen, other.plain, trace);
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
  RungViews views{in.view};
  std::vector<Rung> rungs = ladder(gpu, in, views, trace);
  views.check_any(has_l2(gpu) ? "none of these versions is simulated warp by warp"
                              : gpu.name + " has no L2: its transposes are counted, not simulated");
  std::vector<FixOrder> fixes = in.version ? std::vector<FixOrder>{} : orders(gpu, rungs, trace);
  std::vector<LeftByLink> left = left_of(in, rungs, trace);
  return {std::move(rungs),
          std::move(fixes),
          std::move(left),
          std::move(views.stalls),
          std::move(views.pipes),
          std::move(views.instead),
          std::move(views.code.counts),
          std::move(views.code.groups),
          std::move(views.timeline.strips),
          std::move(views.timeline.states),
          std::move(views.timeline.slices)};
}

std::string Transpose::verdict(const Gpu& gpu, const Input&, const Tables& rows) {
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
  // Without an L2 no time is the code's.
  const std::string foreign = has_l2(gpu) ? foreign_code("transpose", gpu.capability()) : "";
  const std::string code = foreign.empty() ? "" : " in " + foreign;
  if (rungs.size() == 1) return text + (code.empty() ? "." : "," + code + ".");
  text = fmt::format("Fastest{}: {}", code.empty() ? " transpose" : code, text);
  if (!std::isnan(best->total_gain) && best->version != "naive")
    text += fmt::format(". That is {} times as fast as naive{}", in_words(best->total_gain),
                        left_in_words(std::get<2>(rows), best->version));
  return text + ".";
}

template Transpose::Tables Transpose::predict(const Gpu&, const Input&, Plain&);
template Transpose::Tables Transpose::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
