#include "transpose_cost.hpp"

#include "ladder_question.hpp"
#include "transpose_boxes.hpp"
#include "transpose_uncached.hpp"

#include "models/core/facts.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/machine/caches.hpp"
#include "models/simulate/launch_samples.hpp"
#include "models/simulate/sent_early.hpp"

#include <cmath>

namespace perfmodel {

namespace {

using Version = TransposeVersion;

const KernelCode& code_of(const Gpu& gpu, Version version, const TransposeSize& size) {
  return known_kernel("transpose", transpose_kernel(version, size), gpu.capability());
}

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
  if (found.stretches.short_stores > 0.5)
    return found.stretches.short_loads > 0.5 ? "device memory, line by line in diagonal order"
                                             : "device memory, written line by line";
  return found.stretches.long_stores > 0.5 ? "device memory, written in runs" : found.bound;
}

template <class T>
TransposeCost cost_of(const Gpu& gpu, Version version, const TransposeSize& size, RungViews& views,
                      T& trace) {
  if (version == Version::tensor_copy) {
    const BoxTranspose found = transpose_by_boxes(gpu, size.n, trace);
    return {.time = found.time,
            .counts = {.shared_wavefronts = found.wavefronts, .shared_least = found.least_wavefronts},
            .dram_bytes = found.dram_bytes,
            .resident = found.resident,
            .bound = found.bound};
  }
  const KernelCode& code = code_of(gpu, version, size);
  const KernelLaunch launch = transpose_launch(version, size);
  if (!has_l2(gpu)) {
    const TraceCounts asked = launch_counts(gpu, code, launch, trace);
    const UncachedTranspose found =
        uncached_transpose(gpu, version, size, asked, Bytes(static_cast<double>(*code.shared)), trace);
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

} // namespace

Launch transpose_block(const Gpu& gpu, Version version, const TransposeSize& size) {
  if (version == Version::tensor_copy) return box_launch();
  const KernelCode& code = code_of(gpu, version, size);
  return {.threads_per_block = static_cast<double>(transpose_launch(version, size).threads()),
          .registers_per_thread = has_l2(gpu) ? static_cast<Count>(*code.registers) : uncached_registers,
          .shared_per_block = Bytes(static_cast<double>(*code.shared))};
}

template <class T>
TransposeCost transpose_cost(const Gpu& gpu, Version version, const TransposeSize& size, RungViews& views,
                             T& trace) {
  TransposeCost cost = cost_of(gpu, version, size, views, trace);
  cost.bound = bound_text(cost, version);
  return cost;
}

template TransposeCost transpose_cost(const Gpu&, Version, const TransposeSize&, RungViews&, Plain&);
template TransposeCost transpose_cost(const Gpu&, Version, const TransposeSize&, RungViews&, Recorder&);

} // namespace perfmodel
