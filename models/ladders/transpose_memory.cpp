#include "transpose_memory.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/access/partitions.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"
#include "models/machine/caches.hpp"

#include <cmath>

namespace perfmodel {

namespace {

constexpr double word = 4; // bytes

MatrixKernel walked_as(const TransposeKernel& kernel) {
  if (kernel.transposes_tile) return MatrixKernel::padded;
  if (kernel.pitch > 0) return MatrixKernel::tile_copy;
  if (kernel.reads_columns) return MatrixKernel::strided_both;
  return kernel.writes_columns ? MatrixKernel::naive : MatrixKernel::copy;
}

template <class T>
TransposeMemory in_partitions(const Gpu& gpu, const TransposeKernel& kernel, std::int64_t n, double window,
                              T& trace) {
  const auto count = trace.fact(gpu, facts::dram_partitions);
  const auto interleave = trace.fact(gpu, facts::dram_interleave);
  const auto bandwidth = copy_bandwidth(gpu, trace);
  Partitions partitions{.count = static_cast<std::int64_t>(value_of(count)),
                        .interleave = static_cast<std::int64_t>(value_of(interleave).value),
                        .bandwidth = value_of(bandwidth).value};
  partitions.segment_rate = value_of(trace.cost(gpu, facts::dram_segment_rate)).value;
  const PartitionLoad load =
      walk_matrix(partitions, coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard),
                  coalescing_rule(gpu, GlobalAccess::store, LoadCache::standard),
                  {.kernel = walked_as(kernel),
                   .mapping = kernel.diagonal ? TileMapping::diagonal : TileMapping::cartesian,
                   .n = n,
                   .pitch = n,
                   .tile = kernel.side,
                   .window = static_cast<std::int64_t>(window)});
  const auto moved = static_cast<double>(load.moved);
  const bool camps = load.even < 0.9 * load.busiest;
  const bool segments = load.even * partitions.bandwidth > 1.02 * moved;
  const double seconds = load.busiest / load.share;
  return {.read = seconds / 2,
          .written = seconds / 2,
          .bytes = std::round(moved / load.share),
          .bound = camps      ? "the busiest partition of device memory"
                   : segments ? "device memory, segments"
                              : "device memory"};
}

} // namespace

template <class T>
TransposeMemory transpose_memory(const Gpu& gpu, const TransposeKernel& kernel, std::int64_t n, double window,
                                 T& trace) {
  const auto mapping = gpu.find(facts::dram_mapping);
  if (mapping && mapping->value == "interleaved") return in_partitions(gpu, kernel, n, window, trace);
  const double matrix = word * static_cast<double>(n) * static_cast<double>(n);
  if (2 * matrix <= l2_capacity(gpu, trace).value) return {.bound = "L2"};

  const double reach = value_of(trace.cost(gpu, facts::dram_row_reach)).value;
  const bool writes_rows = !kernel.transposes_tile && !kernel.writes_columns;
  const bool lines = word * static_cast<double>(kernel.side) < reach;
  auto bandwidth = copy_bandwidth(gpu, trace);
  std::string bound = "device memory";
  if (!writes_rows && !lines) {
    bandwidth = trace.cost(gpu, facts::sustained_dram_copy_runs);
    bound = "device memory, written in runs";
  } else if (!writes_rows && kernel.diagonal) {
    bandwidth = trace.cost(gpu, facts::sustained_dram_copy_both_lines);
    bound = "device memory, line by line in diagonal order";
  } else if (!writes_rows) {
    bandwidth = trace.cost(gpu, facts::sustained_dram_copy_lines);
    bound = "device memory, written line by line";
  }
  const double seconds = matrix / value_of(bandwidth).value;
  return {.read = seconds,
          .written = seconds,
          .bytes = 2 * matrix,
          .lines_in_words = kernel.writes_columns ? static_cast<double>(kernel.side) : 0,
          .bound = std::move(bound)};
}

template TransposeMemory transpose_memory(const Gpu&, const TransposeKernel&, std::int64_t, double, Plain&);
template TransposeMemory transpose_memory(const Gpu&, const TransposeKernel&, std::int64_t, double,
                                          Recorder&);

} // namespace perfmodel
