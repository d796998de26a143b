// Shared-memory read bandwidth: every thread reads 16 bytes at a time, neighbouring threads neighbouring
// words, so that no two threads of a request meet in one bank.
#include "kernels/core/vector_access.cuh"
#include "kernels/probes/bounds/read_again.hpp"

namespace perfmodel::kernels {
namespace shared_bandwidth_probe {
namespace {

constexpr int threads = 1024, loads = 2, vectors = threads * loads; // 32 KiB, no opt-in needed

__global__ void __launch_bounds__(threads) read_shared(std::uint32_t* sums, int trips) {
  __shared__ uint4 data[vectors];
  for (int i = threadIdx.x; i < vectors; i += threads) data[i] = pattern_vector(i);
  __syncthreads();
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(data + threadIdx.x));
  std::uint32_t sum = 0;
#pragma unroll 4
  for (int trip = 0; trip < trips; ++trip) {
    uint4 v[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) v[i] = load_shared(address + i * threads * sizeof(uint4));
#pragma unroll
    for (int i = 0; i < loads; ++i) sum += sum_of(v[i]);
  }
  sums[blockIdx.x * threads + threadIdx.x] = sum;
}

ProbeResult run(Session& session) {
  session.say("shared-memory bandwidth");
  return bandwidth_of(session,
                      {.title = "shared-memory read bandwidth",
                       .ceiling = "shared read",
                       .level = "shared",
                       .constant = "sustained.shared",
                       .vectors = vectors,
                       .threads = threads},
                      [](cudaStream_t stream, unsigned blocks, std::uint32_t* sums, int trips) {
                        read_shared<<<blocks, threads, 0, stream>>>(sums, trips);
                      });
}

} // namespace
} // namespace shared_bandwidth_probe

extern const Probe shared_bandwidth{.name = "shared-bandwidth",
                                    .order = 480,
                                    .model = "roofline",
                                    .measures = "shared-memory read bandwidth of all SMs",
                                    .provides = {"sustained.shared"},
                                    .run = shared_bandwidth_probe::run};

} // namespace perfmodel::kernels
