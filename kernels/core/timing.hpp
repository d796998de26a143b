// Times of a kernel: warmed up until the SM clock stands still, then sampled.
#pragma once

#include "kernels/core/clock.hpp"
#include "kernels/core/session.hpp"

#include <functional>
#include <vector>

namespace perfmodel::kernels {

struct Repeat {
  int samples = 11;
  double warm_up = 0.1;  // seconds of the same kernel before the first sample, at least
  double pause = 0;      // seconds of rest before every sample, for kernels that the power cap slows down
  double watched = 0.02; // seconds of the same kernel after the last sample, during which NVML is read
};

// What a probe uses unless it has a reason: the clock needs 0.5 s from idle once, and little more between
// kernels.
Repeat usual(const Session& session);

struct Sampled {
  std::vector<double> seconds;
  std::vector<double> sm_clock; // Hz, one reading per sample
};

// Enqueues the kernel on the stream; its work must be the same every time.
using Launch = std::function<void(cudaStream_t)>;

// The SM clock of a sample is read by a kernel of its own right behind it; a kernel that reads it itself
// passes the place it writes to as `own_clock`. Also fills session.under_load.
Sampled sample(Session& session, const Repeat& repeat, const Launch& launch,
               const ClockReading* own_clock = nullptr);

// Loop trips for which one launch takes about `seconds`, found by doubling.
int trips_for(Session& session, double seconds, const std::function<void(cudaStream_t, int trips)>& launch);

} // namespace perfmodel::kernels
