// C = A B of square row-major matrices, n x n, fp32, the first two rungs of the ladder: one thread per
// element of C that reads global memory for every product, and the same through shared tiles. Any n.
#pragma once

#include <cstddef>

namespace perfmodel::kernels {

static __global__ void __launch_bounds__(1024)
    matmul_naive(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[std::size_t(row) * n + k] * b[std::size_t(k) * n + column];
  c[std::size_t(row) * n + column] = sum;
}

// A block is tile x tile threads; each fills one element of both tiles in every phase. What lies beyond the
// matrices counts as zero.
template <int tile>
__global__ void __launch_bounds__(tile* tile)
    matmul_tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int first = 0; first < n; first += tile) {
    a_tile[y][x] = row < n && first + x < n ? a[std::size_t(row) * n + first + x] : 0;
    b_tile[y][x] = first + y < n && column < n ? b[std::size_t(first + y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  if (row < n && column < n) c[std::size_t(row) * n + column] = sum;
}

} // namespace perfmodel::kernels
