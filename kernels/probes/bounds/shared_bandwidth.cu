// Shared-memory read bandwidth: every thread reads 16 bytes at a time, neighbouring threads neighbouring
// words, so that no two threads of a request meet in one bank.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/vector_access.cuh"

namespace perfmodel::kernels {
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
  Report report("shared-memory read bandwidth", {{"ceiling", {}}, {"level", {}}}, "bandwidth",
                unit_of<BytesPerSecond>());
  const unsigned blocks = session.device.sm_count();
  Buffer<std::uint32_t> sums(std::size_t{blocks} * threads);
  const auto launch = [&](cudaStream_t stream, int trips) {
    read_shared<<<blocks, threads, 0, stream>>>(sums.data(), trips);
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
              double(blocks) * vectors * sizeof(uint4) * trips);
  report.row({"shared read", "shared"}, bandwidth, shared_limit(session, bandwidth.clock()));
  report.constant("sustained.shared", bandwidth);
  return report.take();
}

} // namespace

extern const Probe shared_bandwidth{.name = "shared-bandwidth",
                                    .order = 480,
                                    .model = "roofline",
                                    .measures = "shared-memory read bandwidth of all SMs",
                                    .provides = {"sustained.shared"},
                                    .run = run};

} // namespace perfmodel::kernels
