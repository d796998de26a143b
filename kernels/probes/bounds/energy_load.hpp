// Kernels that keep one part of the GPU busy for as long as energy is counted, and what one launch of them
// does.
#pragma once

#include "kernels/core/report.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace perfmodel::kernels {

struct EnergyLoad {
  Launch launch;
  double flops = 0, dram_bytes = 0, l2_bytes = 0; // of one launch
  bool right = false;                             // its answer was checked on the CPU
  std::shared_ptr<void> buffers;                  // what the launch uses
};

// bf16 products whose tiles stay in shared memory, on so many SMs. Empty where the GPU has no wgmma.
std::optional<EnergyLoad> tensor_load(Session& session, int sms);

} // namespace perfmodel::kernels
