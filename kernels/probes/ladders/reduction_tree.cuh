// The lecture's reductions in shared memory, rung by rung (R. Vuduc, CSE 6230, "GPU tuning, part 1"). A block
// adds up its stretch of `in` and writes one partial sum; the same kernel runs again on the partial sums
// until one is left. The lecture's slips are mended: the strided rung adds at the index that it computed, and
// no warp relies on running in step, but in the one rung that shows it.
// blockDim.x is a power of two from 64 to 1024; dynamic shared memory: one T for each thread. Integers are
// unsigned, because a sum may wrap; the instructions are those of int32.
#pragma once

#include "kernels/probes/ladders/reduction_types.cuh"

namespace perfmodel::kernels {

template <class T> __device__ inline T* shared_sums() {
  extern __shared__ __align__(8) unsigned char shared_bytes[];
  return reinterpret_cast<T*>(shared_bytes);
}

template <class T> __device__ inline T element(const T* in, unsigned n, unsigned i) {
  return i < n ? in[i] : neutral<T>();
}

// Every thread that owns a sum is found by a modulo: half the threads of each warp idle, then three quarters.
template <class T> __device__ inline void pair_up(T* sums, unsigned t) {
#pragma unroll 1 // of all loops over the tree: a rung is what it is, not what a compiler makes of it
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) sums[t] += sums[t + s];
    __syncthreads();
  }
}

template <class T> __global__ void __launch_bounds__(1024) sum_interleaved(const T* in, unsigned n, T* out) {
  T* const sums = shared_sums<T>();
  const unsigned t = threadIdx.x;
  sums[t] = element(in, n, blockIdx.x * blockDim.x + t);
  __syncthreads();
  pair_up(sums, t);
  if (t == 0) out[blockIdx.x] = sums[0];
}

// Neighbouring threads work, on words 2s apart: no modulo, no idle lanes, but conflicts of banks.
template <class T>
__global__ void __launch_bounds__(1024) sum_strided_index(const T* in, unsigned n, T* out) {
  T* const sums = shared_sums<T>();
  const unsigned t = threadIdx.x;
  sums[t] = element(in, n, blockIdx.x * blockDim.x + t);
  __syncthreads();
#pragma unroll 1
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned index = 2 * s * t;
    if (index < blockDim.x) sums[index] += sums[index + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

// Halves until `last` sums are left.
template <class T> __device__ inline void halve(T* sums, unsigned t, unsigned last) {
#pragma unroll 1
  for (unsigned s = blockDim.x / 2; s >= last; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
}

// Neighbouring threads, neighbouring words.
template <class T> __global__ void __launch_bounds__(1024) sum_sequential(const T* in, unsigned n, T* out) {
  T* const sums = shared_sums<T>();
  const unsigned t = threadIdx.x;
  sums[t] = element(in, n, blockIdx.x * blockDim.x + t);
  __syncthreads();
  halve(sums, t, 1);
  if (t == 0) out[blockIdx.x] = sums[0];
}

// Two elements that are a block of so many threads apart.
template <class T> __device__ inline T first_sum(const T* in, unsigned n, unsigned threads) {
  const unsigned i = blockIdx.x * (2 * threads) + threadIdx.x;
  return element(in, n, i) + element(in, n, i + threads);
}

// No thread idles from the start: half the blocks.
template <class T> __global__ void __launch_bounds__(1024) sum_first_add(const T* in, unsigned n, T* out) {
  T* const sums = shared_sums<T>();
  const unsigned t = threadIdx.x;
  sums[t] = first_sum(in, n, blockDim.x);
  __syncthreads();
  halve(sums, t, 1);
  if (t == 0) out[blockIdx.x] = sums[0];
}

// The last 64 sums by the first warp alone, without barriers of the block. Lanes past the ones that count add
// words that nobody needs; every step reads before any lane writes.
template <class T> __device__ inline T fold_64(T* sums, unsigned t) {
  T sum = sums[t] + sums[t + 32];
#pragma unroll
  for (unsigned s = 16; s > 0; s /= 2) {
    sums[t] = sum;
    __syncwarp();
    sum += sums[t + s];
    __syncwarp();
  }
  return sum;
}

// The same as the lecture has it: lanes that run in step need nothing but volatile, which keeps every sum in
// memory. From compute capability 7.0 on a warp need not run in step, and this may be wrong.
template <class T> __device__ inline T fold_64_in_step(volatile T* sums, unsigned t) {
#pragma unroll
  for (unsigned s = 32; s > 0; s /= 2) write(sums + t, read(sums + t) + read(sums + t + s));
  return read(sums + t);
}

template <class T>
__global__ void __launch_bounds__(1024) sum_warp_synchronous(const T* in, unsigned n, T* out) {
  T* const sums = shared_sums<T>();
  const unsigned t = threadIdx.x;
  sums[t] = first_sum(in, n, blockDim.x);
  __syncthreads();
  halve(sums, t, 64);
  if (t >= 32) return;
  const T sum = fold_64_in_step(sums, t);
  if (t == 0) out[blockIdx.x] = sum;
}

template <class T>
__global__ void __launch_bounds__(1024) sum_unrolled_warp(const T* in, unsigned n, T* out) {
  T* const sums = shared_sums<T>();
  const unsigned t = threadIdx.x;
  sums[t] = first_sum(in, n, blockDim.x);
  __syncthreads();
  halve(sums, t, 64);
  if (t >= 32) return;
  const T sum = fold_64(sums, t);
  if (t == 0) out[blockIdx.x] = sum;
}

// The tree with nothing left of the loop, over one element of each thread.
template <unsigned threads, class T> __device__ inline void store_tree_sum(T mine, T* out) {
  T* const sums = shared_sums<T>();
  const unsigned t = threadIdx.x;
  sums[t] = mine;
  __syncthreads();
#pragma unroll
  for (unsigned s = threads / 2; s >= 64; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t >= 32) return;
  const T sum = fold_64(sums, t);
  if (t == 0) out[blockIdx.x] = sum;
}

template <unsigned threads, class T>
__global__ void __launch_bounds__(threads) sum_unrolled(const T* in, unsigned n, T* out) {
  store_tree_sum<threads>(first_sum(in, n, threads), out);
}

} // namespace perfmodel::kernels
