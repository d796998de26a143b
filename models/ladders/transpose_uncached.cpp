#include "transpose_uncached.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/access/partitions.hpp"
#include "models/concurrency/occupancy.hpp"
#include "models/core/facts.hpp"

#include <cmath>

namespace perfmodel {

namespace {

MatrixKernel walked_as(TransposeVersion version) {
  using V = TransposeVersion;
  switch (version) {
  case V::copy:
    return MatrixKernel::copy;
  case V::naive:
    return MatrixKernel::naive;
  case V::strided_both:
    return MatrixKernel::strided_both;
  case V::tile_copy:
    return MatrixKernel::tile_copy;
  default:
    return MatrixKernel::padded;
  }
}

struct OfMemory {
  Seconds time{0};
  Bytes bytes{0};
  std::string bound;
};

// `window`: resident blocks of the device.
template <class T>
OfMemory of_partitions(const Gpu& gpu, TransposeVersion version, const TransposeSize& size, double window,
                       T& trace) {
  const auto count = trace.fact(gpu, facts::dram_partitions);
  const auto interleave = trace.fact(gpu, facts::dram_interleave);
  const auto bandwidth = copy_bandwidth(gpu, trace);
  Partitions partitions{.count = static_cast<std::int64_t>(value_of(count)),
                        .interleave = static_cast<std::int64_t>(value_of(interleave).value),
                        .bandwidth = value_of(bandwidth).value};
  partitions.segment_rate = value_of(trace.cost(gpu, facts::dram_segment_rate)).value;
  const bool diagonal =
      version == TransposeVersion::diagonal || version == TransposeVersion::diagonal_unpadded;
  const PartitionLoad load =
      walk_matrix(partitions, coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard),
                  coalescing_rule(gpu, GlobalAccess::store, LoadCache::standard),
                  {.kernel = walked_as(version),
                   .mapping = diagonal ? TileMapping::diagonal : TileMapping::cartesian,
                   .n = size.n,
                   .pitch = size.pitch,
                   .tile = transpose_tile(version, size.tile),
                   .window = static_cast<std::int64_t>(window)});
  const auto moved = static_cast<double>(load.moved);
  const bool camps = load.even < 0.9 * load.busiest;
  const bool segments = load.even * partitions.bandwidth > 1.02 * moved;
  return {.time = Seconds{load.busiest / load.share},
          .bytes = Bytes{std::round(moved / load.share)},
          .bound = camps      ? "the busiest partition of device memory"
                   : segments ? "device memory, segments"
                              : "device memory"};
}

} // namespace

template <class T>
UncachedTranspose uncached_transpose(const Gpu& gpu, TransposeVersion version, const TransposeSize& size,
                                     const TraceCounts& asked, Bytes shared, T& trace) {
  const KernelLaunch launch = transpose_launch(version, size);
  const Occupancy held = occupancy(gpu, {.threads_per_block = static_cast<Count>(launch.threads()),
                                         .registers_per_thread = uncached_registers,
                                         .shared_per_block = shared});
  const auto sms = trace.fact(gpu, facts::sm_count);
  const auto clock = trace.fact(gpu, facts::clock);
  const OfMemory memory = of_partitions(gpu, version, size, held.blocks * value_of(sms), trace);
  const auto t_memory = trace.define("t_memory", "of device memory", trace.number(memory.time));
  const auto cycles = trace.number(Count{asked.parts + asked.shared_wavefronts}) / sms *
                      trace.fact(gpu, facts::shared_cycles_per_request);
  const auto t_shared =
      trace.define("t_shared", "of shared memory, and of requests of global memory", cycles / clock);
  constexpr double p = 2;
  trace.fitted("p", "exponent that combines the times of memory and shared memory", p,
               "best whole number for four published series");
  const auto first = trace.define(
      "first", "a block's launch, its load and its store, which nothing hides",
      (trace.cost(gpu, facts::block_launch) + 2.0 * trace.cost(gpu, facts::dram_latency)) / clock);
  return {.time = value_of(first) + Seconds{std::hypot(value_of(t_memory).value, value_of(t_shared).value)},
          .dram_bytes = memory.bytes,
          .resident = held.blocks,
          .bound = value_of(t_shared) > value_of(t_memory) ? "shared memory and L1" : memory.bound};
}

template UncachedTranspose uncached_transpose(const Gpu&, TransposeVersion, const TransposeSize&,
                                              const TraceCounts&, Bytes, Plain&);
template UncachedTranspose uncached_transpose(const Gpu&, TransposeVersion, const TransposeSize&,
                                              const TraceCounts&, Bytes, Recorder&);

} // namespace perfmodel
