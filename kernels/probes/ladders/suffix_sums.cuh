// Suffix sums of a block's numbers, one of each thread, in as many steps as n has binary digits: by the
// exercise's step, a[t] += a[t + s], synchronised in two ways and not at all, and by warps that exchange
// registers (J. Verschelde, "Warps and Reduction Algorithms"). blockDim.x is n, filled up to whole warps.
#pragma once

#include <array>
#include <string_view>

namespace perfmodel::kernels {

enum class Scan { two_barriers, two_buffers, unsynchronised, warps };
inline constexpr std::array<std::string_view, 4> scan_names{"two-barriers", "two-buffers", "unsynchronised",
                                                            "warps"};

// Words of shared memory; threads are those of the block.
constexpr unsigned scan_words(Scan scan, unsigned threads) {
  return scan == Scan::warps ? 2 * 32 : scan == Scan::two_buffers ? 2 * threads : threads;
}

// All have read before any writes, all have written before any reads on.
__device__ inline unsigned scan_two_barriers(unsigned mine, unsigned n, unsigned* a) {
  const unsigned t = threadIdx.x;
  a[t] = mine;
  __syncthreads();
#pragma unroll 1
  for (unsigned s = 1; s < n; s *= 2) {
    const bool has = t + s < n;
    if (has) mine = a[t] + a[t + s];
    __syncthreads();
    if (has) a[t] = mine;
    __syncthreads();
  }
  return a[t];
}

// What is read is not what is written.
__device__ inline unsigned scan_two_buffers(unsigned mine, unsigned n, unsigned* a) {
  const unsigned t = threadIdx.x;
  unsigned *from = a, *to = a + blockDim.x;
  from[t] = mine;
  __syncthreads();
#pragma unroll 1
  for (unsigned s = 1; s < n; s *= 2) {
    to[t] = t + s < n ? from[t] + from[t + s] : from[t];
    unsigned* const written = to;
    to = from;
    from = written;
    __syncthreads();
  }
  return from[t];
}

// As the exercise first has it: wrong where a thread reads what another has, or has not yet, written.
__device__ inline unsigned scan_unsynchronised(unsigned mine, unsigned n, volatile unsigned* a) {
  const unsigned t = threadIdx.x;
  a[t] = mine;
#pragma unroll 1
  for (unsigned s = 1; s < n; s *= 2)
    if (t + s < n) a[t] = a[t] + a[t + s];
  return a[t];
}

// Each warp by itself; then every warp adds what the warps behind it have found. `odd`: whether this is the
// second, fourth, .. scan of the block, whose sums must not meet those of the one before.
__device__ inline unsigned scan_warps(unsigned mine, unsigned* sums, bool odd) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (unsigned s = 1; s < 32; s *= 2) {
    const unsigned other = __shfl_down_sync(~0u, mine, s);
    if (lane + s < 32) mine += other;
  }
  if (blockDim.x == 32) return mine;
  sums += odd ? 32 : 0;
  if (lane == 0) sums[warp] = mine;
  __syncthreads();
  unsigned behind = lane > warp && lane < blockDim.x / 32 ? sums[lane] : 0;
#pragma unroll
  for (unsigned s = 16; s > 0; s /= 2) behind += __shfl_xor_sync(~0u, behind, s);
  return mine + behind;
}

template <Scan how> __device__ inline unsigned suffix_sum(unsigned mine, unsigned n, unsigned* a, bool odd) {
  if constexpr (how == Scan::two_barriers) return scan_two_barriers(mine, n, a);
  if constexpr (how == Scan::two_buffers) return scan_two_buffers(mine, n, a);
  if constexpr (how == Scan::unsynchronised) return scan_unsynchronised(mine, n, a);
  return scan_warps(mine, a, odd);
}

} // namespace perfmodel::kernels
