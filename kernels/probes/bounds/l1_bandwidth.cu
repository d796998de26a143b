// L1 read bandwidth: every SM reads 64 KiB again and again through L1.
// Neighbouring warps change places from trip to trip: loads of addresses that never change are hoisted out of
// the loop, which showed as a reading of 3.5 times the limit.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/vector_access.cuh"

namespace perfmodel::kernels {
namespace {

constexpr int threads = 1024, loads = 4,
              vectors = threads * loads; // one pass of a block is the whole footprint

__global__ void __launch_bounds__(threads) read_again(const uint4* in, std::uint32_t* sums, int trips) {
  std::uint32_t sum = 0;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    const uint4* from = in + (threadIdx.x ^ (trip % 2 * 32));
    uint4 v[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) v[i] = load_from_l1(from + i * threads);
#pragma unroll
    for (int i = 0; i < loads; ++i) sum += sum_of(v[i]);
  }
  sums[blockIdx.x * threads + threadIdx.x] = sum;
}

ProbeResult run(Session& session) {
  session.say("L1 bandwidth");
  Report report("L1 read bandwidth", {{"ceiling", {}}, {"level", {}}}, "bandwidth",
                unit_of<BytesPerSecond>());
  const unsigned blocks = session.device.sm_count();
  Buffer<uint4> in(vectors);
  Buffer<std::uint32_t> sums(std::size_t{blocks} * threads);
  fill_pattern(in.data(), in.size(), session.stream);
  const auto launch = [&](cudaStream_t stream, int trips) {
    read_again<<<blocks, threads, 0, stream>>>(in.data(), sums.data(), trips);
  };

  launch(session.stream, 3);
  session.stream.synchronize();
  std::uint32_t sum = 0;
  for (const std::uint32_t s : sums.to_host()) sum += s;
  if (!report.verify(sum == 3 * blocks * pattern_sum(0, 4 * vectors), "sum of the words read"))
    return report.take();

  const int trips = trips_for(session, 3e-3, launch);
  const Measurement bandwidth =
      rate_of(sample(session, usual(session), [&](cudaStream_t s) { launch(s, trips); }),
              double(blocks) * in.bytes() * trips);
  report.row({"L1 read", "l1"}, bandwidth, shared_limit(session, bandwidth.clock())); // the same data banks
  report.constant("sustained.l1", bandwidth);
  return report.take();
}

} // namespace

extern const Probe l1_bandwidth{.name = "l1-bandwidth",
                                .order = 470,
                                .model = "roofline",
                                .measures = "L1 read bandwidth of all SMs",
                                .provides = {"sustained.l1"},
                                .run = run};

} // namespace perfmodel::kernels
