// A ring of pointers through a buffer in pseudo-random order: every load needs the one before, and no
// prefetcher can guess the next.
#pragma once

#include "kernels/core/check.hpp"

#include <cstdint>

namespace perfmodel::kernels {

// One pointer per L2 line.
inline constexpr int line_bytes = 128;

struct alignas(line_bytes) Line {
  Line* next;
};

// A bijection of [0, count): four Feistel rounds on the next even power of two, walked until back inside.
// Computed instead of shuffled, so that a ring of 4 GiB takes a millisecond to lay.
__host__ __device__ inline std::uint64_t shuffled(std::uint64_t i, std::uint64_t count) {
  int half = 1;
  while ((std::uint64_t{1} << (2 * half)) < count) ++half;
  const std::uint32_t mask = (std::uint32_t{1} << half) - 1;
  do {
    auto left = static_cast<std::uint32_t>(i >> half), right = static_cast<std::uint32_t>(i) & mask;
    for (std::uint32_t round = 0; round < 4; ++round) {
      std::uint32_t h = right + round * 0x9E3779B9u; // C. Wellons' lowbias32 hash
      h = (h ^ (h >> 16)) * 0x7FEB352Du;
      h = (h ^ (h >> 15)) * 0x846CA68Bu;
      h = (h ^ (h >> 16)) & mask;
      const std::uint32_t crossed = left ^ h;
      left = right;
      right = crossed;
    }
    i = (std::uint64_t{left} << half) | right;
  } while (i >= count);
  return i;
}

// Neighbouring lines are written by different blocks, so that all SMs write however short the ring.
__global__ static void lay_ring(Line* lines, std::uint64_t count) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = threadIdx.x * std::uint64_t{gridDim.x} + blockIdx.x; i < count; i += stride)
    lines[shuffled(i, count)].next = lines + shuffled(i + 1 == count ? 0 : i + 1, count);
}

// The line `hops` behind line shuffled(0), where every walk starts: a walk that ends elsewhere went wrong.
inline std::uint64_t line_after(std::uint64_t hops, std::uint64_t count) {
  return shuffled(hops % count, count);
}

// Through L1 (.ca), as ordinary code loads.
__device__ inline Line* follow(Line* line) {
  Line* next;
  asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(next) : "l"(line) : "memory");
  return next;
}

// Past L1 (.cg).
__device__ inline Line* follow_in_l2(Line* line) {
  Line* next;
  asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(line) : "memory");
  return next;
}

} // namespace perfmodel::kernels
