// How long an SM worked, in its own cycles: from the first start to the last stop of the blocks it held. Free
// of the launch and of the clock's frequency; clock64 is one counter per SM.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"

#include <algorithm>
#include <map>
#include <vector>

namespace perfmodel::kernels {

struct BlockSpan {
  long long start, stop;
  unsigned sm, blocks;
};

// Between the two every thread of the block does its work.
__device__ inline void span_start(BlockSpan* spans) {
  __syncthreads();
  // Before the others begin: after, this warp could wait long for its turn.
  if (threadIdx.x == 0) spans[blockIdx.x].start = cycles_now();
  __syncthreads();
}

__device__ inline void span_stop(BlockSpan* spans) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  spans[blockIdx.x].stop = cycles_now();
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  spans[blockIdx.x].sm = sm;
}

// Every SM's span, the shortest first. Empty when an SM held other than `blocks` blocks: the launch was not
// dealt out evenly.
inline std::vector<double> sm_cycles(const BlockSpan* spans, std::size_t count, unsigned blocks) {
  std::map<unsigned, BlockSpan> by_sm;
  for (const BlockSpan* s = spans; s != spans + count; ++s) {
    BlockSpan& sm = by_sm.try_emplace(s->sm, BlockSpan{s->start, s->stop, s->sm, 0}).first->second;
    sm.start = std::min(sm.start, s->start);
    sm.stop = std::max(sm.stop, s->stop);
    ++sm.blocks;
  }
  std::vector<double> cycles;
  for (const auto& [id, sm] : by_sm) {
    if (sm.blocks != blocks) return {};
    cycles.push_back(static_cast<double>(sm.stop - sm.start));
  }
  std::sort(cycles.begin(), cycles.end());
  return cycles;
}

} // namespace perfmodel::kernels
