// L1 read bandwidth: every SM reads 64 KiB again and again through L1.
// Neighbouring warps change places from trip to trip: loads of addresses that never change are hoisted out of
// the loop, which showed as a reading of 3.5 times the limit.
#include "kernels/core/vector_access.cuh"
#include "kernels/probes/bounds/read_again.hpp"

namespace perfmodel::kernels {
namespace l1_bandwidth_probe {
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
  Buffer<uint4> in(vectors);
  fill_pattern(in.data(), in.size(), session.stream);
  return bandwidth_of(session,
                      {.title = "L1 read bandwidth",
                       .ceiling = "L1 read",
                       .level = "l1",
                       .constant = "sustained.l1",
                       .vectors = vectors,
                       .threads = threads},
                      [&](cudaStream_t stream, unsigned blocks, std::uint32_t* sums, int trips) {
                        read_again<<<blocks, threads, 0, stream>>>(in.data(), sums, trips);
                      });
}

} // namespace
} // namespace l1_bandwidth_probe

extern const Probe l1_bandwidth{.name = "l1-bandwidth",
                                .order = 470,
                                .model = "roofline",
                                .measures = "L1 read bandwidth of all SMs",
                                .provides = {"sustained.l1"},
                                .run = l1_bandwidth_probe::run};

} // namespace perfmodel::kernels
