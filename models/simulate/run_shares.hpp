// What a simulated launch spends its time on: reasons for which warps do not issue, and what is busy.
#pragma once

#include "kernel_time.hpp"

#include <string>
#include <vector>

namespace perfmodel {

struct StallShare {
  std::string stall;          // by the profiler's names
  double share = 0;           // of the cycles of resident warps
  double per_instruction = 0; // cycles
};
struct UnitShare {
  std::string unit; // of a scheduler, an SM or the device
  double busy = 0;  // share of the time
};

// The largest first; what takes nothing is left out.
std::vector<StallShare> stall_shares(const KernelTime& time);
std::vector<UnitShare> unit_shares(const KernelTime& time);

} // namespace perfmodel
