// The SM clock as a kernel sees it: ticks of clock64 over ticks of globaltimer between two points of one
// launch. NVML reports the clock it asked for; under a power cap the two differ, and cycles need this one.
#pragma once

#include "kernels/core/clock.hpp"

namespace perfmodel::kernels {

__device__ inline long long cycles_now() {
  long long value;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
  return value;
}

__device__ inline long long nanoseconds_now() {
  long long value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value)::"memory");
  return value;
}

// Both clocks at one moment. A warp that has done its work can wait 100 us for an issue slot while greedy
// warps hold the scheduler: readings that far apart put the clock off by 1 %, so they are repeated until
// adjacent.
__device__ inline ClockReading clocks_now() {
  for (int attempt = 0;; ++attempt) {
    const long long before = cycles_now();
    const long long nanoseconds = nanoseconds_now();
    if (cycles_now() - before < 500 || attempt == 100) return {before, nanoseconds};
  }
}

// globaltimer ticks coarsely (32 ns to 1 us): only a launch of milliseconds gives the clock to 0.1 %.
__device__ inline void clock_start(ClockReading* reading) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  const ClockReading now = clocks_now();
  *reading = {-now.cycles, -now.nanoseconds};
}

__device__ inline void clock_stop(ClockReading* reading) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  const ClockReading now = clocks_now();
  reading->cycles += now.cycles;
  reading->nanoseconds += now.nanoseconds;
}

} // namespace perfmodel::kernels
