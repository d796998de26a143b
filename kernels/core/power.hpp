// Power and rate of a kernel that runs on and on: NVML's count of energy over seconds, while launches follow
// each other without a pause.
#pragma once

#include "kernels/core/timing.hpp"

#include <optional>
#include <vector>

namespace perfmodel::kernels {

struct Sustained {
  std::vector<double> power; // W, one for every second or so: energy between two readings over their distance
  std::vector<double> sm_clock;    // Hz, as the device itself sees it, one for every power
  std::vector<double> temperature; // degrees Celsius of the GPU, one for every power; empty where unknown
  double launches_per_second = 0;
  bool capped = false;                   // the power cap held the clock down at some time
  double watts() const;                  // mean: all energy over all time
  std::optional<double> degrees() const; // mean temperature
  double energy = 0, seconds = 0;        // J and s between the first reading and the last
};

// One launch should take 5 to 50 ms. The first `warm_up` seconds do not count: clock, voltage and temperature
// settle. Empty `power`: NVML does not count energy here.
Sustained sustain(Session& session, double warm_up, double seconds, const Launch& launch);

} // namespace perfmodel::kernels
