#include "kernels/probes/ladders/product_check.hpp"

#include "kernels/core/buffer.hpp"

#include <cuda_bf16.h>

namespace perfmodel::kernels {
namespace {

constexpr int rows_together = 8; // of a block, a warp each

__device__ inline double sum_of_warp(double sum) {
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  return sum;
}

// Sums of the columns of group blockIdx.y: the vector M r of every group, one behind the other.
template <class T>
__global__ void times_signs(const T* matrix, int n, int pitch, const double* signs, double* sums) {
  const int row = blockIdx.x * rows_together + threadIdx.x / 32;
  if (row >= n) return;
  const int column = blockIdx.y * columns_together + threadIdx.x % 32;
  const double sum = sum_of_warp(
      column < n ? double(float(matrix[std::size_t(row) * pitch + column])) * signs[column] : 0.0);
  if (threadIdx.x % 32 == 0) sums[std::size_t(blockIdx.y) * n + row] = sum;
}
static_assert(columns_together == 32);

// The product with vector blockIdx.y, for every vector.
template <class T>
__global__ void times_vectors(const T* matrix, int n, int pitch, const double* vectors, double* products) {
  const int row = blockIdx.x * rows_together + threadIdx.x / 32;
  if (row >= n) return;
  const T* const of_row = matrix + std::size_t(row) * pitch;
  const double* const vector = vectors + std::size_t(blockIdx.y) * n;
  double sum = 0;
  for (int k = threadIdx.x % 32; k < n; k += 32) sum += double(float(of_row[k])) * vector[k];
  sum = sum_of_warp(sum);
  if (threadIdx.x % 32 == 0) products[std::size_t(blockIdx.y) * n + row] = sum;
}

// Calls back with the data in the type in which it is stored.
template <class Call> void with_type(const StoredMatrix& m, const Call& call) {
  if (m.stored == Stored::fp32)
    call(static_cast<const float*>(m.data));
  else
    call(static_cast<const __nv_bfloat16*>(m.data));
  PERFMODEL_CUDA(cudaGetLastError());
}

} // namespace

ProductError product_error(const StoredMatrix& a, const StoredMatrix& b, const StoredMatrix& c,
                           cudaStream_t stream) {
  const unsigned n = unsigned(c.n), groups = (n + columns_together - 1) / columns_together;
  const dim3 grid((n + rows_together - 1) / rows_together, groups);
  constexpr int threads = 32 * rows_together;
  const std::size_t sums = std::size_t{n} * groups;
  const Buffer<double> signs(random_signs(n));
  Buffer<double> b_signs(sums), exact(sums), have(sums);
  with_type(b, [&](const auto* data) {
    times_signs<<<grid, threads, 0, stream>>>(data, b.n, b.pitch, signs.data(), b_signs.data());
  });
  with_type(a, [&](const auto* data) {
    times_vectors<<<grid, threads, 0, stream>>>(data, a.n, a.pitch, b_signs.data(), exact.data());
  });
  with_type(c, [&](const auto* data) {
    times_signs<<<grid, threads, 0, stream>>>(data, c.n, c.pitch, signs.data(), have.data());
  });
  PERFMODEL_CUDA(cudaStreamSynchronize(stream));
  return error_of(have.to_host(), exact.to_host());
}

} // namespace perfmodel::kernels
