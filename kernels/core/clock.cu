#include "kernels/core/check.hpp"
#include "kernels/core/clock.cuh"

namespace perfmodel::kernels {
namespace {

__device__ ClockReading next_tick(long long after) {
  ClockReading now = clocks_now();
  while (now.nanoseconds <= after) now = clocks_now();
  return now;
}

// Both readings are taken just after globaltimer has ticked, so that its coarse step cancels.
__global__ void watch_clocks(ClockReading* reading) {
  const ClockReading start = next_tick(nanoseconds_now());
  const ClockReading stop = next_tick(start.nanoseconds + 100'000);
  *reading = {stop.cycles - start.cycles, stop.nanoseconds - start.nanoseconds};
}

} // namespace

void read_clock(ClockReading* reading, cudaStream_t stream) {
  watch_clocks<<<1, 1, 0, stream>>>(reading);
  PERFMODEL_CUDA(cudaGetLastError());
}

} // namespace perfmodel::kernels
