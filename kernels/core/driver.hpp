// The GPU as its driver knows it: libcuda, which comes with the driver and is loaded at run time. Needs no
// toolkit, so every build can say which GPU is there and describe it; only the kernels need more.
#pragma once

#include "kernels/core/library.hpp"

#include <optional>
#include <string>

namespace perfmodel::kernels {

class Driver {
public:
  // Opens the first visible device. Throws MachineError: no driver, no GPU.
  Driver();

  std::string name() const;               // "NVIDIA H200"
  std::string compute_capability() const; // "9.0"
  std::string pci_bus_id() const;         // "0000:19:00.0", as NVML names the device
  std::optional<double> memory() const;   // bytes
  int attribute(int which) const;         // a CUdevice_attribute; 0 when the driver does not know it

private:
  Library library_;
  int device_ = 0;
};

// The attributes that are read here, numbered as in cuda.h; the runtime's cudaDeviceAttr has the same
// numbers.
namespace attribute {
constexpr int max_threads_per_block = 1, shared_per_block = 8, warp_size = 10, registers_per_block = 12,
              clock_rate = 13, sm_count = 16, memory_clock_rate = 36, memory_bus_width = 37, l2_size = 38,
              max_threads_per_sm = 39, major = 75, minor = 76, shared_per_sm = 81, registers_per_sm = 82,
              shared_per_block_optin = 97, max_blocks_per_sm = 106, shared_reserved = 111;
} // namespace attribute

} // namespace perfmodel::kernels
