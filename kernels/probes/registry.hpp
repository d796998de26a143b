// Every probe, declared once. An explicit list: registrars in a static library vanish.
#pragma once

#include "kernels/core/probe.hpp"

namespace perfmodel::kernels {

extern const Probe fma_latency, memory_latency, l2_partitions;
extern const Probe issue, latency_hiding, block_turnover, loaded_latency, memory_parallelism;
extern const Probe instruction_latency, instruction_rate, instruction_pairs, instruction_mix;
extern const Probe occupancy, resident_blocks, predication, queued_issue;
extern const Probe coalescing, sector_gather, sector_scatter, split_sectors, segment_rate, partition_camping;
extern const Probe l1_lines, l1_fill, shared_issue, lone_bank_conflicts, bank_conflicts;
extern const Probe constant_issue, constant_latency, constant_cache, divergence, matmul_boundary;
extern const Probe fma_rate, intensity;
extern const Probe dram_read, dram_write, dram_copy, dram_triad;
extern const Probe partial_lines, l2_shared, store_queue;
extern const Probe l2_bandwidth, l1_bandwidth, shared_bandwidth;
extern const Probe tensor_rate, fp64_tensor_rate;
extern const Probe barrier, barrier_fence, atomic_counter, kernel_turnover, reduction, reduction_library;
extern const Probe pi, suffix_scan, suffix_sums;
extern const Probe l2_requests, run_copy, transpose_ladder;
extern const Probe matmul, matmul_blocks, matmul_library, tensor_feed;

} // namespace perfmodel::kernels
