// Softmax over each row of a matrix, a block of 256 threads a row: four ways, that read it three times, twice
// (online, and without its largest element) and once.
#pragma once

#include "vectors.cuh"

namespace perfmodel::templates {

constexpr unsigned softmax_threads = 256;

template <class Fold> __device__ inline float fold_block(float x, Fold fold) {
  __shared__ float of_warps[softmax_threads / warp];
  for (unsigned step = warp / 2; step > 0; step /= 2) x = fold(x, __shfl_xor_sync(all_lanes, x, step));
  if (threadIdx.x % warp == 0) of_warps[threadIdx.x / warp] = x;
  __syncthreads();
  x = of_warps[0];
  for (unsigned w = 1; w < softmax_threads / warp; ++w) x = fold(x, of_warps[w]);
  __syncthreads();
  return x;
}

__device__ inline float larger(float a, float b) { return fmaxf(a, b); }
__device__ inline float added(float a, float b) { return a + b; }

// The row's largest element, then the sum of exp(x - largest), then the quotients.
__global__ void softmax_three_pass(const float* in, float* out, int columns) {
  const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
  float* result = out + static_cast<size_t>(blockIdx.x) * columns;
  float largest = -INFINITY, sum = 0;
  for (int k = static_cast<int>(threadIdx.x); k < columns; k += softmax_threads)
    largest = fmaxf(largest, row[k]);
  largest = fold_block(largest, larger);
  for (int k = static_cast<int>(threadIdx.x); k < columns; k += softmax_threads)
    sum += __expf(row[k] - largest);
  const float scale = 1 / fold_block(sum, added);
  for (int k = static_cast<int>(threadIdx.x); k < columns; k += softmax_threads)
    result[k] = __expf(row[k] - largest) * scale;
}

// Largest element and sum in one pass: the sum is scaled whenever a larger element is met (Milakov and
// Gimelshein, arXiv 1805.02867).
__global__ void softmax_online(const float* in, float* out, int columns) {
  const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
  float* result = out + static_cast<size_t>(blockIdx.x) * columns;
  float largest = -INFINITY, sum = 0;
  for (int k = static_cast<int>(threadIdx.x); k < columns; k += softmax_threads) {
    const float x = row[k], up = fmaxf(largest, x);
    sum = sum * __expf(largest - up) + __expf(x - up);
    largest = up;
  }
  const float of_row = fold_block(largest, larger);
  const float mine = largest == -INFINITY ? 0 : sum * __expf(largest - of_row);
  const float scale = 1 / fold_block(mine, added);
  for (int k = static_cast<int>(threadIdx.x); k < columns; k += softmax_threads)
    result[k] = __expf(row[k] - of_row) * scale;
}

// A number as mantissa * 2^exponent, whose exponent is kept apart so that no exp(x) is too large.
struct Scaled {
  float mantissa, exponent;
};

__device__ inline Scaled scaled_exp(float x) {
  constexpr float log2_e = 1.44269504F;
  const float exponent = rintf(x * log2_e);
  return {exp2f(fmaf(x, log2_e, -exponent)), exponent};
}

// The sum of exp(x) as it is in the first pass, the quotients in the second: nobody looks for the largest
// element (Dukhan and Ablavatski, arXiv 2001.04438).
__global__ void softmax_two_pass(const float* in, float* out, int columns) {
  const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
  float* result = out + static_cast<size_t>(blockIdx.x) * columns;
  Scaled sum{0, -INFINITY};
  for (int k = static_cast<int>(threadIdx.x); k < columns; k += softmax_threads) {
    const Scaled x = scaled_exp(row[k]);
    const float exponent = fmaxf(sum.exponent, x.exponent);
    sum.mantissa = sum.mantissa * exp2f(sum.exponent - exponent) + x.mantissa * exp2f(x.exponent - exponent);
    sum.exponent = exponent;
  }
  const float of_row = fold_block(sum.exponent, larger);
  const float mine = sum.exponent == -INFINITY ? 0 : sum.mantissa * exp2f(sum.exponent - of_row);
  const float scale = 1 / fold_block(mine, added);
  for (int k = static_cast<int>(threadIdx.x); k < columns; k += softmax_threads) {
    const Scaled x = scaled_exp(row[k]);
    result[k] = x.mantissa * exp2f(x.exponent - of_row) * scale;
  }
}

// The row is kept in shared memory (dynamic, 4 bytes a column), so that it is read once.
__global__ void softmax_kept(const float* in, float* out, int columns) {
  extern __shared__ float kept[];
  const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
  float* result = out + static_cast<size_t>(blockIdx.x) * columns;
  float largest = -INFINITY, sum = 0;
  for (int k = static_cast<int>(threadIdx.x); k < columns; k += softmax_threads) {
    kept[k] = row[k];
    largest = fmaxf(largest, kept[k]);
  }
  largest = fold_block(largest, larger);
  for (int k = static_cast<int>(threadIdx.x); k < columns; k += softmax_threads) {
    kept[k] = __expf(kept[k] - largest);
    sum += kept[k];
  }
  const float scale = 1 / fold_block(sum, added);
  for (int k = static_cast<int>(threadIdx.x); k < columns; k += softmax_threads) result[k] = kept[k] * scale;
}

} // namespace perfmodel::templates
