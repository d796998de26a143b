// The kernel of divergence.cu. A piece of work is a chain of FMAs, in each way with numbers of its own, so
// that a compiler cannot do anything for several ways at once; way and pieces of each thread are read from
// shared memory. Checked in SASS (sm_90): a tree of compares and branches leads to the ways; each is a loop
// of 32 FFMA, none of them predicated.
#pragma once

#include "kernels/core/sm_span.cuh"

namespace perfmodel::kernels::divergence_work {

inline constexpr int threads = 1024, chain = 32,
                     usual_rounds = 64; // long, so that choosing a way counts for little

// So near 1 that the result tells how many FMAs were made.
inline constexpr float factor = 0.999f;
__host__ __device__ constexpr float addend(int way) { return 0.03125f + float(way) / 1024; }

// Warps that have more to do than others would keep one scheduler busy and leave the rest idle: from trip to
// trip every warp takes the place of the fifth after it.
__host__ __device__ constexpr int place_of(int tid, int trip) { return (tid + 5 * 32 * trip) % threads; }

// Volatile: the compiler moves FMAs that all ways have in common behind the switch, but no asm.
template <int way> __device__ inline float walk(float x, int rounds) {
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < chain; ++i)
      asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(factor), "f"(addend(way)));
  return x;
}

#define PERFMODEL_WAY(n)                                                                                     \
  case n:                                                                                                    \
    x = walk<n>(x, rounds);                                                                                  \
    break;
#define PERFMODEL_FOUR_WAYS(n) PERFMODEL_WAY(n) PERFMODEL_WAY(n + 1) PERFMODEL_WAY(n + 2) PERFMODEL_WAY(n + 3)

static __global__ void __launch_bounds__(threads)
    branch_ways(const uchar2* work_of, int piece_rounds, float* out, int trips, BlockSpan* spans) {
  __shared__ uchar2 work[threads];
  work[threadIdx.x] = work_of[threadIdx.x];
  float x = float(threadIdx.x) / threads;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    const uchar2 of = work[place_of(threadIdx.x, trip)];
    const int way = of.x, rounds = of.y * piece_rounds;
    switch (way) {
      PERFMODEL_FOUR_WAYS(0)
      PERFMODEL_FOUR_WAYS(4)
      PERFMODEL_FOUR_WAYS(8)
      PERFMODEL_FOUR_WAYS(12)
      PERFMODEL_FOUR_WAYS(16)
      PERFMODEL_FOUR_WAYS(20)
      PERFMODEL_FOUR_WAYS(24)
      PERFMODEL_FOUR_WAYS(28)
    }
    __syncwarp();
  }
  span_stop(spans);
  out[blockIdx.x * threads + threadIdx.x] = x;
}

#undef PERFMODEL_FOUR_WAYS
#undef PERFMODEL_WAY

} // namespace perfmodel::kernels::divergence_work
