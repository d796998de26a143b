// Cycles that a full SM takes for one more trip of a kernel's loop: the difference of a long and a short run,
// by the clock of the SM itself. It leaves out what both have in common: the start of the blocks, cold
// instruction caches, and the end, where the last warps have the SM to themselves.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/report.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace perfmodel::kernels {

// When a block ran.
struct BlockSpan {
  long long start, stop;
  unsigned sm;
};

__device__ inline void span_start(BlockSpan* spans) {
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x].start = cycles_now();
  __syncthreads();
}
__device__ inline void span_stop(BlockSpan* spans) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  spans[blockIdx.x].stop = cycles_now();
  asm volatile("mov.u32 %0, %%smid;" : "=r"(spans[blockIdx.x].sm));
}

// From the first start to the last stop on an SM; the median of the SMs. NaN where blocks were dealt
// unevenly.
inline double cycles_of(const std::vector<BlockSpan>& spans, int blocks_per_sm) {
  struct Busy {
    long long start, stop;
    int blocks;
  };
  std::map<unsigned, Busy> sms;
  for (const BlockSpan& span : spans) {
    const auto [sm, first] = sms.try_emplace(span.sm, Busy{span.start, span.stop, 1});
    if (first) continue;
    Busy& busy = sm->second;
    busy = {std::min(busy.start, span.start), std::max(busy.stop, span.stop), busy.blocks + 1};
  }
  std::vector<double> cycles;
  for (const auto& [sm, busy] : sms) {
    if (busy.blocks != blocks_per_sm) return absent;
    cycles.push_back(static_cast<double>(busy.stop - busy.start));
  }
  std::nth_element(cycles.begin(), cycles.begin() + cycles.size() / 2, cycles.end());
  return cycles[cycles.size() / 2];
}

// One block for each `blocks_per_sm` of every SM; `launch(trips)` must fill `spans`. Samples are cycles per
// trip.
inline Measurement cycles_per_trip(Session& session, const Buffer<BlockSpan>& spans, int blocks_per_sm,
                                   const std::function<void(int trips)>& launch) {
  const auto cycles = [&](int trips) {
    launch(trips);
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
    return cycles_of(spans.to_host(), blocks_per_sm);
  };
  constexpr double wanted = 150e3; // about 75 us, and twice that for the long run
  constexpr int few = 16;
  cycles(few); // warms the instruction cache
  const double guess = (cycles(2 * few) - cycles(few)) / few;
  const int trips = guess > 0 ? std::clamp(static_cast<int>(wanted / guess), few, 1 << 20) : few;

  Measurement per_trip;
  Buffer<ClockReading> clock(1);
  for (int i = 0; i < (session.quick() ? 3 : 11); ++i) {
    const double brief = cycles(trips);
    launch(2 * trips);
    read_clock(clock.data(), session.stream);
    session.stream.synchronize();
    per_trip.values.push_back((cycles_of(spans.to_host(), blocks_per_sm) - brief) / trips);
    per_trip.sm_clock.push_back(clock.to_host()[0].hertz());
  }
  return per_trip;
}

} // namespace perfmodel::kernels
