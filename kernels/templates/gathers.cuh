// What goes by data: histograms and products of a sparse matrix with a vector.
#pragma once

#include "vectors.cuh"

namespace perfmodel::templates {

constexpr unsigned bins = 256;

// How often each byte comes, four of them a load: counted in shared memory, then added up. `words`: bytes
// / 4.
__global__ void histogram(const unsigned* in, unsigned* counts, int words) {
  __shared__ unsigned of_block[bins];
  for (unsigned b = threadIdx.x; b < bins; b += blockDim.x) of_block[b] = 0;
  __syncthreads();
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < words;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    const unsigned four = in[i];
    atomicAdd(&of_block[four & 0xffU], 1U);
    atomicAdd(&of_block[four >> 8U & 0xffU], 1U);
    atomicAdd(&of_block[four >> 16U & 0xffU], 1U);
    atomicAdd(&of_block[four >> 24U], 1U);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&counts[b], of_block[b]);
}

// The same with every count in global memory.
__global__ void histogram_global(const unsigned* in, unsigned* counts, int words) {
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < words;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    const unsigned four = in[i];
    atomicAdd(&counts[four & 0xffU], 1U);
    atomicAdd(&counts[four >> 8U & 0xffU], 1U);
    atomicAdd(&counts[four >> 16U & 0xffU], 1U);
    atomicAdd(&counts[four >> 24U], 1U);
  }
}

// y = A x, A as rows of `length` elements each, a warp a row: CSR, were all rows as long.
__global__ void spmv_rows(const float* values, const int* columns, const float* x, float* y, int rows,
                          int length) {
  const int row = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / warp);
  const int lane = static_cast<int>(threadIdx.x % warp);
  if (row >= rows) return;
  const size_t first = static_cast<size_t>(row) * length;
  float sum = 0;
  for (int k = lane; k < length; k += static_cast<int>(warp))
    sum += values[first + k] * x[columns[first + k]];
  sum = sum_of_warp(sum);
  if (lane == 0) y[row] = sum;
}

// The same by columns (ELLPACK), a thread a row.
__global__ void spmv_ell(const float* values, const int* columns, const float* x, float* y, int rows,
                         int length) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < length; ++k) {
    const size_t at = static_cast<size_t>(k) * rows + row;
    sum += values[at] * x[columns[at]];
  }
  y[row] = sum;
}

} // namespace perfmodel::templates
