#include "kernels/probes/registry.hpp"

namespace perfmodel::kernels {

// Latencies first, on an idle GPU; the tensor units last, because they heat it up to the power cap.
std::span<const Probe> probes() {
  static const Probe list[] = {
      fma_latency,
      memory_latency,
      l2_partitions,
      issue,
      instruction_latency,
      instruction_rate,
      instruction_pairs,
      instruction_mix,
      predication,
      latency_hiding,
      occupancy,
      resident_blocks,
      block_turnover,
      kernel_turnover,
      barrier,
      loaded_latency,
      memory_parallelism,
      shared_issue,
      lone_bank_conflicts,
      bank_conflicts,
      constant_issue,
      constant_latency,
      constant_cache,
      divergence,
      matmul_boundary,
      sector_gather,
      sector_scatter,
      split_sectors,
      l2_requests,
      run_copy,
      segment_rate,
      partition_camping,
      coalescing,
      dram_read,
      dram_write,
      dram_copy,
      dram_triad,
      l1_fill,
      l1_lines,
      l2_bandwidth,
      l1_bandwidth,
      shared_bandwidth,
      fma_rate,
      intensity,
      reduction,
      reduction_library,
      transpose_ladder,
      matmul_blocks,
      fp64_tensor_rate,
      tensor_rate,
      matmul,
      matmul_library,
  };
  return list;
}

} // namespace perfmodel::kernels
