// Probes one after the other, so that what one of them lacks costs the others nothing.
#pragma once

#include "kernels/core/probe.hpp"

#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace perfmodel::cli {

struct ProbeRuns {
  std::vector<kernels::ProbeResult> results;
  std::vector<std::string>
      left_out; // "nccl: NCCL was not found", of each whose needs are not on this machine
  std::exception_ptr ended = nullptr; // what broke off the run after `results`: a CUDA call that failed
};

// Runs each by `measure`. One that throws Unavailable is left out, and the next has its turn; any other
// MachineError ends the run, for a device is not to be trusted after it. Throws what the probe threw where
// nothing was measured.
ProbeRuns run_probes(const std::vector<const kernels::Probe*>& probes,
                     const std::function<kernels::ProbeResult(const kernels::Probe&)>& measure);

} // namespace perfmodel::cli
