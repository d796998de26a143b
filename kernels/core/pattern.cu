#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"

namespace perfmodel::kernels {
namespace {

constexpr int blocks = 4096, threads = 256;

__device__ std::size_t first_element() { return blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; }
__device__ std::size_t stride() { return std::size_t{gridDim.x} * blockDim.x; }

__global__ void write_pattern(uint4* data, std::size_t vectors) {
  for (std::size_t i = first_element(); i < vectors; i += stride()) data[i] = pattern_vector(i);
}

__global__ void count_pattern(const uint4* data, std::size_t vectors, unsigned long long* differences) {
  unsigned long long count = 0;
  for (std::size_t i = first_element(); i < vectors; i += stride()) {
    const uint4 got = data[i], want = pattern_vector(i);
    count += (got.x != want.x) + (got.y != want.y) + (got.z != want.z) + (got.w != want.w);
  }
  if (count != 0) atomicAdd(differences, count);
}

template <class T>
__global__ void write_periodic(T* data, std::size_t count, const T* period, std::size_t length) {
  for (std::size_t i = first_element(); i < count; i += stride()) data[i] = period[i % length];
}

template <class T>
__global__ void count_periodic(const T* data, std::size_t count, const T* period, std::size_t length,
                               unsigned long long* differences) {
  unsigned long long different = 0;
  for (std::size_t i = first_element(); i < count; i += stride())
    different += !(data[i] == period[i % length]); // not !=: a NaN is a difference
  if (different != 0) atomicAdd(differences, different);
}

template <class T> __global__ void write_line(T* data, std::size_t count, T first, T step) {
  for (std::size_t i = first_element(); i < count; i += stride()) data[i] = first + static_cast<T>(i) * step;
}

template <class Count> std::uint64_t count_with(cudaStream_t stream, const Count& launch) {
  Buffer<unsigned long long> differences(1);
  differences.clear();
  launch(differences.data());
  PERFMODEL_CUDA(cudaGetLastError());
  PERFMODEL_CUDA(cudaStreamSynchronize(stream));
  return differences.to_host()[0];
}

} // namespace

std::uint32_t pattern_sum(std::uint64_t first, std::uint64_t count) {
  const std::uint64_t pairs = count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
  return static_cast<std::uint32_t>((count * first + pairs) * pattern_step + count);
}

void fill_pattern(uint4* data, std::size_t vectors, cudaStream_t stream) {
  write_pattern<<<blocks, threads, 0, stream>>>(data, vectors);
  PERFMODEL_CUDA(cudaGetLastError());
}

std::uint64_t pattern_differences(const uint4* data, std::size_t vectors, cudaStream_t stream) {
  return count_with(stream, [&](unsigned long long* differences) {
    count_pattern<<<blocks, threads, 0, stream>>>(data, vectors, differences);
  });
}

template <class T> void fill_line(T* data, std::size_t count, T first, T step, cudaStream_t stream) {
  write_line<<<blocks, threads, 0, stream>>>(data, count, first, step);
  PERFMODEL_CUDA(cudaGetLastError());
}

template <class T>
void fill_periodic(T* data, std::size_t count, const std::vector<T>& period, cudaStream_t stream) {
  const Buffer<T> one(period);
  write_periodic<<<blocks, threads, 0, stream>>>(data, count, one.data(), one.size());
  PERFMODEL_CUDA(cudaGetLastError());
  PERFMODEL_CUDA(cudaStreamSynchronize(stream));
}

template <class T>
std::uint64_t periodic_differences(const T* data, std::size_t count, const std::vector<T>& period,
                                   cudaStream_t stream) {
  const Buffer<T> one(period);
  return count_with(stream, [&](unsigned long long* differences) {
    count_periodic<<<blocks, threads, 0, stream>>>(data, count, one.data(), one.size(), differences);
  });
}

template void fill_line(int*, std::size_t, int, int, cudaStream_t);
template void fill_line(unsigned long long*, std::size_t, unsigned long long, unsigned long long,
                        cudaStream_t);
template void fill_periodic(float*, std::size_t, const std::vector<float>&, cudaStream_t);
template void fill_periodic(double*, std::size_t, const std::vector<double>&, cudaStream_t);
template std::uint64_t periodic_differences(const float*, std::size_t, const std::vector<float>&,
                                            cudaStream_t);
template std::uint64_t periodic_differences(const double*, std::size_t, const std::vector<double>&,
                                            cudaStream_t);

} // namespace perfmodel::kernels
