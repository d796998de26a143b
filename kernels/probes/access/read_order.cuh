// Reads a buffer once, in 16-byte vectors, in any order: what the order costs is the order's own. Order maps
// the n-th vector read to its place in the buffer. With the identity this is the loop of dram_read.cu.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/report.hpp"
#include "kernels/core/vector_access.cuh"

#include <optional>

namespace perfmodel::kernels {

inline constexpr int order_threads = 256, order_loads = 8;

// The sum is stored on request, and else if it has one unlikely value: the loads cannot be dropped.
template <class Order>
__global__ void __launch_bounds__(order_threads)
    read_in_order(const uint4* data, Order order, std::uint32_t* total, bool report) {
  const std::size_t first = blockIdx.x * std::size_t{order_threads * order_loads} + threadIdx.x;
  uint4 v[order_loads];
#pragma unroll
  for (int i = 0; i < order_loads; ++i) v[i] = load_streaming(data + order(first + i * order_threads));
  std::uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < order_loads; ++i) sum += sum_of(v[i]);
  if (report || sum == 0xDEADBEEF) atomicAdd(total, sum);
}

template <class Order>
void launch_in_order(cudaStream_t stream, const Buffer<uint4>& data, std::size_t vectors, const Order& order,
                     std::uint32_t* total, bool report) {
  const auto blocks = static_cast<unsigned>(vectors / (order_threads * order_loads));
  read_in_order<<<blocks, order_threads, 0, stream>>>(data.data(), order, total, report);
  PERFMODEL_CUDA(cudaGetLastError());
}

// Bandwidth of reading the first `vectors` of the patterned buffer, which the order must permute; a whole
// number of blocks. Empty when the sum is wrong.
template <class Order>
std::optional<Measurement> bandwidth_in_order(Session& session, Report& report, const Buffer<uint4>& data,
                                              std::size_t vectors, const Order& order,
                                              const std::string& name) {
  Buffer<std::uint32_t> total(1);
  total.clear();
  launch_in_order(session.stream, data, vectors, order, total.data(), true);
  session.stream.synchronize();
  if (!report.verify(total.to_host()[0] == pattern_sum(0, 4 * vectors), "sum of the words read: " + name))
    return std::nullopt;
  const Repeat repeat{.samples = 11, .warm_up = 0.03, .watched = 0.01};
  return rate_of(sample(session, repeat,
                        [&](cudaStream_t stream) {
                          launch_in_order(stream, data, vectors, order, total.data(), false);
                        }),
                 double(vectors) * sizeof(uint4));
}

} // namespace perfmodel::kernels
