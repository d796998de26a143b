// How many isolated sectors DRAM takes per second: pairs of neighbouring threads write whole sectors of 32
// bytes, those of 8 GiB in shuffled order, so that nothing is read and no line of L2 is written twice while
// it is there.
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/read_order.cuh"
#include "kernels/probes/access/shuffled.hpp"

#include <bit>

namespace perfmodel::kernels {
namespace sector_scatter_probe {
namespace {

constexpr int threads = 256, stores = 8;
constexpr unsigned sector_vectors = 2;

__device__ inline void store_streaming(uint4* to, uint4 v) {
  asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
               : "memory");
}

// Writes the pattern, so that in the end every vector has its own.
__global__ void __launch_bounds__(threads) scatter(uint4* data, Shuffled shuffled) {
  const std::uint32_t first = blockIdx.x * (threads / sector_vectors * stores) + threadIdx.x / sector_vectors;
#pragma unroll
  for (int i = 0; i < stores; ++i) {
    const std::uint32_t sector = shuffled(first + i * (threads / sector_vectors));
    const std::size_t vector = std::size_t{sector} * sector_vectors + threadIdx.x % sector_vectors;
    store_streaming(data + vector, pattern_vector(vector));
  }
}

struct InOrder {
  __device__ std::size_t operator()(std::size_t n) const { return n; }
};

ProbeResult run(Session& session) {
  session.say("DRAM: isolated sectors written");
  Report report("isolated sectors written to DRAM", {{"scattered", unit_of<Bytes>()}}, "sectors_per_second",
                unit_of<Quantity<0, 0, 0, -1, 0>>());
  Buffer<uint4> data(session.buffer_bytes(std::size_t{8} << 30) / sizeof(uint4));
  const std::size_t sectors = data.size() / sector_vectors; // a power of two
  const Shuffled shuffled{static_cast<unsigned>(std::bit_width(sectors) - 1)};
  const auto launch = [&](cudaStream_t stream) {
    scatter<<<static_cast<unsigned>(sectors / (threads / sector_vectors * stores)), threads, 0, stream>>>(
        data.data(), shuffled);
    PERFMODEL_CUDA(cudaGetLastError());
  };

  data.poison();
  launch(session.stream);
  Buffer<std::uint32_t> total(1);
  total.clear();
  launch_in_order(session.stream, data, data.size(), InOrder{}, total.data(), true);
  session.stream.synchronize();
  if (!report.verify(total.to_host()[0] == pattern_sum(0, 4 * data.size()), "sum of what was written"))
    return report.take();

  const Measurement rate =
      middle_run(session, [&] { return rate_of(sample(session, usual(session), launch), double(sectors)); });
  report.row({std::int64_t{sector_vectors * sizeof(uint4)}}, rate);
  report.constant("dram.scatter_rate", rate);
  return report.take();
}

} // namespace
} // namespace sector_scatter_probe

extern const Probe sector_scatter{.name = "sector-scatter",
                                  .order = 310,
                                  .measures = "isolated sectors that DRAM takes per second",
                                  .provides = {"dram.scatter_rate"},
                                  .run = sector_scatter_probe::run};

} // namespace perfmodel::kernels
