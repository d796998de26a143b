// What is done along vectors and matrices in one sweep: axpy, products of a matrix and a vector, a sum, and a
// copy. Written as a careful programmer would who has no library at hand.
#pragma once

#include <cuda_fp16.h>

namespace perfmodel::templates {

constexpr unsigned warp = 32, all_lanes = 0xffffffffU;

__device__ inline float sum_of_warp(float x) {
  for (unsigned step = warp / 2; step > 0; step /= 2) x += __shfl_down_sync(all_lanes, x, step);
  return x;
}

// y = a x + y, one element a thread.
__global__ void axpy(float* y, const float* x, int n, float a) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = a * x[i] + y[i];
}

// y = A x, A by rows; a warp for each row.
__global__ void gemv(const float* a, const float* x, float* y, int rows, int columns) {
  const int row = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / warp);
  const int lane = static_cast<int>(threadIdx.x % warp);
  if (row >= rows) return;
  const float* of_row = a + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int k = lane; k < columns; k += static_cast<int>(warp)) sum += of_row[k] * x[k];
  sum = sum_of_warp(sum);
  if (lane == 0) y[row] = sum;
}

// The same of half-precision numbers, two at a time, for each of a batch (blockIdx.y); sums in single
// precision. `pairs`: half of the columns.
__global__ void gemv_batched_fp16(const __half2* a, const __half2* x, __half* y, int rows, int pairs) {
  const int row = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / warp);
  const int lane = static_cast<int>(threadIdx.x % warp);
  if (row >= rows) return;
  const size_t batch = blockIdx.y;
  const __half2* of_row = a + (batch * rows + row) * pairs;
  const __half2* of_batch = x + batch * pairs;
  float sum = 0;
  for (int k = lane; k < pairs; k += static_cast<int>(warp)) {
    const float2 left = __half22float2(of_row[k]), right = __half22float2(of_batch[k]);
    sum += left.x * right.x + left.y * right.y;
  }
  sum = sum_of_warp(sum);
  if (lane == 0) y[batch * rows + row] = __float2half(sum);
}

// The sum of each block's share, in strides of the whole grid; blocks of 256 threads.
__global__ void sum(const float* in, float* out, int n) {
  __shared__ float of_warps[256 / warp];
  float part = 0;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x))
    part += in[i];
  part = sum_of_warp(part);
  if (threadIdx.x % warp == 0) of_warps[threadIdx.x / warp] = part;
  __syncthreads();
  if (threadIdx.x < warp) {
    part = sum_of_warp(threadIdx.x < blockDim.x / warp ? of_warps[threadIdx.x] : 0);
    if (threadIdx.x == 0) out[blockIdx.x] = part;
  }
}

} // namespace perfmodel::templates
