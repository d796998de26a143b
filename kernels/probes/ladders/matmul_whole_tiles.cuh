// C = A B through shared tiles as lectures print it, in tiles of 16: n is a multiple of that, and nothing
// asks where the matrices end. Not run here: its machine code stands for that of GPUs which today's
// compiler does not write for.
#pragma once

#include <cstddef>

namespace perfmodel::kernels {

template <int tile>
__global__ void __launch_bounds__(tile* tile)
    matmul_whole_tiles(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                       int n) {
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int first = 0; first < n; first += tile) {
    a_tile[y][x] = a[std::size_t(row) * n + first + x];
    b_tile[y][x] = b[std::size_t(first + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  c[std::size_t(row) * n + column] = sum;
}
template __global__ void matmul_whole_tiles<16>(const float*, const float*, float*, int);

} // namespace perfmodel::kernels
