// L2 read bandwidth: all SMs read a footprint that L2 holds, again and again, past L1.
// At every moment the blocks read different lines. Where a footprint is smaller than what all blocks read at
// once, several SMs ask for one line together, the requests are merged on their way and up to 20 TB/s come
// out (H200): that is not L2's bandwidth, so such footprints are left out. The figure kept is that of 0.7 of
// L2, 9.28 TB/s on three H200s, where it no longer depends on the footprint.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/vector_access.cuh"

#include <algorithm>

namespace perfmodel::kernels {
namespace l2_bandwidth_probe {
namespace {

constexpr int threads = 512, loads = 4, chunk = threads * loads; // vectors that a block reads at a time

__global__ void __launch_bounds__(threads)
    read_in_turns(const uint4* in, unsigned vectors, std::uint32_t* sums, int trips) {
  unsigned at = blockIdx.x * chunk % vectors;
  const unsigned ahead = gridDim.x * chunk % vectors;
  std::uint32_t sum = 0;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    uint4 v[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) v[i] = load_from_l2(in + at + i * threads + threadIdx.x);
#pragma unroll
    for (int i = 0; i < loads; ++i) sum += sum_of(v[i]);
    at += ahead;
    if (at >= vectors) at -= vectors;
  }
  sums[blockIdx.x * threads + threadIdx.x] = sum;
}

std::uint32_t expected_sum(unsigned blocks, unsigned vectors, int trips) {
  std::uint32_t sum = 0;
  for (unsigned block = 0; block < blocks; ++block)
    for (int trip = 0; trip < trips; ++trip) {
      const std::uint64_t first = (std::uint64_t{block} + std::uint64_t{blocks} * trip) * chunk % vectors;
      sum += pattern_sum(4 * first, 4 * chunk);
    }
  return sum;
}

ProbeResult run(Session& session) {
  Report report("L2 read bandwidth by footprint", {{"footprint", unit_of<Bytes>()}}, "bandwidth",
                unit_of<BytesPerSecond>());
  const unsigned blocks = session.device.sm_count();
  const std::size_t l2 = session.device.properties.l2CacheSize, step = chunk * sizeof(uint4);
  const double plateau = 0.7; // of L2: smaller footprints still gain up to a quarter by merged requests
  Buffer<uint4> in(2 * l2 / sizeof(uint4) + chunk);
  Buffer<std::uint32_t> sums(std::size_t{blocks} * threads);
  fill_pattern(in.data(), in.size(), session.stream);

  for (const double part : session.quick()
                               ? std::vector{plateau}
                               : std::vector{0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.6, 2.0}) {
    const auto footprint = static_cast<std::size_t>(part * static_cast<double>(l2)) / step * step;
    if (footprint < blocks * step) continue;
    session.say("L2 bandwidth: " + std::to_string(footprint >> 10) + " KiB");
    const auto vectors = static_cast<unsigned>(footprint / sizeof(uint4));
    const auto launch = [&](cudaStream_t stream, int trips) {
      read_in_turns<<<blocks, threads, 0, stream>>>(in.data(), vectors, sums.data(), trips);
    };
    launch(session.stream, 100);
    session.stream.synchronize();
    std::uint32_t sum = 0;
    for (const std::uint32_t s : sums.to_host()) sum += s;
    if (!report.verify(sum == expected_sum(blocks, vectors, 100), "sum of the words read"))
      return report.take();

    const int trips = trips_for(session, 3e-3, launch);
    const Measurement bandwidth =
        rate_of(sample(session, usual(session), [&](cudaStream_t s) { launch(s, trips); }),
                double(blocks) * step * trips);
    report.row({static_cast<std::int64_t>(footprint)}, bandwidth);
    if (part == plateau) report.constant("sustained.l2", bandwidth);
  }
  return report.take();
}

} // namespace
} // namespace l2_bandwidth_probe

extern const Probe l2_bandwidth{.name = "l2-bandwidth",
                                .order = 450,
                                .model = "roofline",
                                .measures = "L2 read bandwidth of all SMs, by footprint",
                                .provides = {"sustained.l2"},
                                .run = l2_bandwidth_probe::run};

} // namespace perfmodel::kernels
