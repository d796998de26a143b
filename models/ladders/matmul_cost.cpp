#include "matmul_cost.hpp"

#include "matmul_launches.hpp"
#include "matmul_partitions.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/concurrency/resident_blocks.hpp"
#include "models/core/facts.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/machine/caches.hpp"

#include <fmt/format.h>

#include <cmath>

namespace perfmodel {

namespace {

Launch block_of(const MatmulRung& rung) {
  return {.threads_per_block = static_cast<Count>(rung.threads),
          .registers_per_thread = rung.registers,
          .shared_per_block = Bytes{rung.shared}};
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

} // namespace

Shape naive_block_of(const Gpu& gpu) {
  const auto at_most = [&](const Key<Count>& key) {
    const auto known = gpu.find(key);
    return known ? std::llround(known->value) : 0;
  };
  return naive_block(at_most(facts::max_threads_per_block), at_most(facts::max_threads_per_sm));
}

std::string matmul_refused(const Gpu& gpu, const MatmulRung& rung) {
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
  return refusal(gpu, block_of(rung));
}

const KernelCode& matmul_code(const Gpu& gpu, const MatmulRung& rung, Count n) {
  return known_kernel("matmul", matmul_kernel(rung, std::llround(n), gpu.capability()), gpu.capability());
}

template <class T>
MatmulCost matmul_cost(const Gpu& gpu, const MatmulRung& rung, Count rows, SimulatedViews views, T& trace) {
  const std::int64_t n = std::llround(rows);
  const KernelLaunch launch = matmul_launch(rung, n);
  const KernelCode& code = matmul_code(gpu, rung, rows);
  MatmulCost cost{.launch = kernel_time(gpu, ladder_question(code, launch, views), trace), .bound = {}};
  cost.time = cost.launch.time;
  cost.bound = cost.launch.bound;
  if (is_dealt(gpu) && cost.bound == "device memory")
    if (const Seconds in_step = time_in_step(gpu, rung, rows, cost.launch.resident, trace);
        in_step > cost.time) {
      cost.time = in_step;
      cost.bound = "the busiest partition";
    }
  return cost;
}

template MatmulCost matmul_cost(const Gpu&, const MatmulRung&, Count, SimulatedViews, Plain&);
template MatmulCost matmul_cost(const Gpu&, const MatmulRung&, Count, SimulatedViews, Recorder&);

} // namespace perfmodel
