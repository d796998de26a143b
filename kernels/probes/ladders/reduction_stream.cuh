// Reductions by one wave of blocks, whose threads add many elements up before the block adds its threads up:
// the lecture's last rung, and what warps and memories of later GPUs allow.
#pragma once

#include "kernels/core/vector_access.cuh"
#include "kernels/probes/ladders/reduction_tree.cuh"

namespace perfmodel::kernels {

// Two elements in each trip, as the rungs before. i + threads stays below 2^32: n is at most 2^31.
template <unsigned threads, class T> __device__ inline T stream_sum(const T* in, unsigned n) {
  T sum = neutral<T>();
  unsigned i = blockIdx.x * (2 * threads) + threadIdx.x;
#pragma unroll 1 // two loads of a thread are in flight, as the model counts them
  for (; i + threads < n; i += gridDim.x * (2 * threads)) sum += in[i] + in[i + threads];
  return i < n ? sum + in[i] : sum;
}

template <unsigned threads, class T>
__global__ void __launch_bounds__(threads) sum_grid_stride(const T* in, unsigned n, T* out) {
  store_tree_sum<threads>(stream_sum<threads>(in, n), out);
}

// In lane 0: the warp's sum.
template <class T> __device__ inline T shuffled_sum(T sum) {
#pragma unroll
  for (unsigned s = 16; s > 0; s /= 2) sum += shuffled_down(sum, s);
  return sum;
}

template <class T> __device__ inline T warp_sum(T sum) { return shuffled_sum(sum); }
#if __CUDA_ARCH__ >= 800 // of words of 32 bits one instruction
__device__ inline unsigned warp_sum(unsigned sum) { return __reduce_add_sync(~0u, sum); }
__device__ inline Min warp_sum(Min sum) { return {__reduce_min_sync(~0u, sum.value)}; }
__device__ inline Max warp_sum(Max sum) { return {__reduce_max_sync(~0u, sum.value)}; }
#endif

// Two steps, each within warps. In thread 0: the block's sum. `fold` gives lane 0 the sum of its warp.
template <unsigned threads, class T, class Fold> __device__ inline T block_sum(T mine, Fold fold) {
  constexpr unsigned warps = threads / 32;
  __shared__ T sums[warps];
  const unsigned t = threadIdx.x;
  const T sum = fold(mine);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  return t < 32 ? fold(t < warps ? sums[t] : neutral<T>()) : neutral<T>();
}

template <unsigned threads, class T>
__global__ void __launch_bounds__(threads) sum_shuffle(const T* in, unsigned n, T* out) {
  const T sum = block_sum<threads>(stream_sum<threads>(in, n), [](T mine) { return shuffled_sum(mine); });
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// What a thread finds of n elements, 16 bytes a load and `loads` of them in flight. The barrier keeps the
// warps of a block on one stretch of `in`: without it they drift apart. Tried on an H200, 2^30 elements in
// 938 us by blocks of 256: no barrier 946 us, 2 loads 945, 8 loads 940; without a barrier, too, a warp's own
// stretch 947, loads a grid apart 950, 16 waves 941, L2::256B 1007; stretches dealt out by a counter 937; cub
// 945.
template <unsigned threads, unsigned loads, class T> __device__ inline T vector_sum(const T* in, unsigned n) {
  constexpr unsigned stretch = threads * loads, elements = 16 / sizeof(T);
  const uint4* const vectors = reinterpret_cast<const uint4*>(in);
  const unsigned count = n / elements, t = threadIdx.x;
  unsigned first = blockIdx.x * stretch;
  T sum = neutral<T>();
#pragma unroll 1
  for (; first + stretch <= count; first += gridDim.x * stretch) {
    uint4 v[loads];
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) v[k] = load_streaming(vectors + first + k * threads + t);
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) sum = added(sum, v[k]);
    __syncthreads();
  }
#pragma unroll 1
  for (unsigned i = first + t; i < count; i += threads) sum = added(sum, load_streaming(vectors + i));
  const unsigned last = elements * count + t;
  return blockIdx.x == 0 && last < n ? sum + in[last] : sum;
}

// Counts a block that has stored its partial sum; whether it is the last of the grid, which then sees what
// all others have stored. The count ends as it began, at 0.
__device__ inline bool arrive(unsigned* arrived) {
  unsigned before;
  asm volatile("atom.inc.acq_rel.gpu.global.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(arrived), "r"(gridDim.x - 1)
               : "memory");
  return before == gridDim.x - 1;
}

// One launch: the block that is last to store its partial sum adds them all up. Not by atomic additions: out
// would have to be cleared first, by a launch of its own, and sums of floats would depend on which block came
// when. `in` is aligned to 16 bytes; `partial` holds gridDim.x sums.
template <unsigned threads, unsigned loads, class T>
__global__ void __launch_bounds__(threads)
    sum_vector(const T* in, unsigned n, T* partial, unsigned* arrived, T* out) {
  const auto fold = [](T mine) { return warp_sum(mine); };
  const T sum = block_sum<threads>(vector_sum<threads, loads>(in, n), fold);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    last = arrive(arrived);
  }
  __syncthreads();
  if (!last) return;
  T all = neutral<T>();
  for (unsigned i = threadIdx.x; i < gridDim.x; i += threads) all += read_from_l2(partial + i);
  all = block_sum<threads>(all, fold);
  if (threadIdx.x == 0) *out = all;
}

} // namespace perfmodel::kernels
