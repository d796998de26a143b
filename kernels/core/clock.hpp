// The SM clock observed on the device, for kernels that cannot carry the clock reads themselves.
#pragma once

#include <cuda_runtime_api.h>

namespace perfmodel::kernels {

struct ClockReading {
  long long cycles;
  long long nanoseconds;
  double hertz() const { return static_cast<double>(cycles) / static_cast<double>(nanoseconds) * 1e9; }
};

// One thread watches both clocks for about 100 us. Launched right behind a kernel it sees that kernel's
// clock, because clocks move over milliseconds.
void read_clock(ClockReading* reading, cudaStream_t stream);

} // namespace perfmodel::kernels
