// How fast L2 hands lines to SMs that read the same ones in step: blocks launched one after the other, one on
// each SM, read one array together, again and again, past L1. Requests for a line that meet on their way are
// served together (the profiler counts what its L2 request coalescer, LRC, merges: up to four of neighbouring
// SMs on an H200), so that more comes out than L2 alone can send. `l2-bandwidth` leaves such footprints out.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <algorithm>

namespace perfmodel::kernels {
namespace l2_together_probe {
namespace {

constexpr int threads = 512, loads = 4, chunk = threads * loads; // vectors that a block reads at a time
constexpr std::size_t array_bytes = std::size_t{512} << 10;      // that each group of blocks reads

__global__ void __launch_bounds__(threads)
    read_together(const uint4* in, unsigned together, std::uint32_t* sums, int trips) {
  constexpr unsigned vectors = array_bytes / sizeof(uint4);
  in += blockIdx.x / together * vectors;
  unsigned at = 0;
  std::uint32_t sum = 0;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    uint4 v[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) v[i] = __ldcg(in + at + i * threads + threadIdx.x);
#pragma unroll
    for (int i = 0; i < loads; ++i) sum += sum_of(v[i]);
    at += chunk;
    if (at >= vectors) at = 0;
  }
  sums[blockIdx.x * threads + threadIdx.x] = sum;
}

std::uint32_t expected_sum(unsigned blocks, unsigned together, int trips) {
  constexpr std::uint64_t words = array_bytes / 4, of_trip = 4 * chunk;
  std::uint32_t sum = 0;
  for (unsigned block = 0; block < blocks; ++block)
    for (int trip = 0; trip < trips; ++trip)
      sum += pattern_sum(block / together * words + of_trip * trip % words, of_trip);
  return sum;
}

ProbeResult run(Session& session) {
  session.say("L2: lines that SMs read together");
  Report report("L2 read bandwidth where blocks read one array in step", {{"blocks", {}}}, "bandwidth",
                unit_of<BytesPerSecond>());
  const unsigned blocks = session.device.sm_count();
  constexpr unsigned fewest = 4; // so that no more than half of L2 is read
  Buffer<uint4> in((blocks / fewest + 1) * array_bytes / sizeof(uint4));
  Buffer<std::uint32_t> sums(std::size_t{blocks} * threads);
  fill_pattern(in.data(), in.size(), session.stream);
  for (const unsigned together : {fewest, 8U, 16U, 32U, blocks}) {
    const auto launch = [&](cudaStream_t stream, int trips) {
      read_together<<<blocks, threads, 0, stream>>>(in.data(), together, sums.data(), trips);
      PERFMODEL_CUDA(cudaGetLastError());
    };
    launch(session.stream, 40);
    session.stream.synchronize();
    std::uint32_t sum = 0;
    for (const std::uint32_t s : sums.to_host()) sum += s;
    if (!report.verify(sum == expected_sum(blocks, together, 40), "sum of the words read"))
      return report.take();
    const int trips = trips_for(session, 3e-3, launch);
    const Measurement bandwidth =
        rate_of(sample(session, usual(session), [&](cudaStream_t s) { launch(s, trips); }),
                double(blocks) * chunk * sizeof(uint4) * trips);
    report.row({static_cast<std::int64_t>(together)}, bandwidth);
    if (together == fewest) report.constant("sustained.l2_together", bandwidth);
  }
  return report.take();
}

} // namespace
} // namespace l2_together_probe

extern const Probe l2_together{.name = "l2-together",
                               .order = 452,
                               .measures =
                                   "L2 read bandwidth where neighbouring SMs read the same lines in step",
                               .provides = {"sustained.l2_together"},
                               .run = l2_together_probe::run};

} // namespace perfmodel::kernels
