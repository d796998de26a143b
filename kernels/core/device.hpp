// The GPU that is measured, and the limits that its device query gives.
#pragma once

#include "kernels/core/check.hpp"

#include <optional>
#include <string>

namespace perfmodel::kernels {

struct Device {
  int index = 0;
  cudaDeviceProp properties{};
  double memory_clock = 0; // Hz
  double max_clock = 0;    // Hz, of the SMs

  int sm_count() const { return properties.multiProcessorCount; }
  std::string compute_capability() const {
    return std::to_string(properties.major) + "." + std::to_string(properties.minor);
  }
  // wgmma and setmaxnreg exist on exactly this one.
  bool is_hopper() const { return properties.major == 9 && properties.minor == 0; }
  // [B/s] Bus width x memory clock x 2 transfers a clock; absent where the driver hides the memory clock.
  std::optional<double> pin_bandwidth() const;
};

// The first visible device. Throws MachineError when there is none or the driver is missing or too old.
Device open_device();

std::string cuda_runtime_version(); // "13.0"
std::size_t free_memory();          // bytes

} // namespace perfmodel::kernels
