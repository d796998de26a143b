// Kernels that differ in their registers and in nothing else, and that count themselves on their SM.
#pragma once

#include "kernels/core/device.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace perfmodel::kernels {

// What the blocks on one SM find out about one another.
struct SmCount {
  int now;  // blocks that are there
  int most; // the most there ever were
};

// in: 1024 floats. Each block stays for `nanoseconds`, whatever the others do.
using ResidentKernel = void (*)(const volatile float* in, float* out, SmCount* sms, long long nanoseconds);

// From few registers to as many as a thread can have; resident_blocks.cu lists them.
std::span<const ResidentKernel> resident_kernels();

// Registers of a thread, as the runtime reports them.
int registers_of(ResidentKernel kernel);

// What a launch asks for. The carve-out is a percentage of the shared memory of an SM, as the runtime takes
// it.
struct ResidentLaunch {
  ResidentKernel kernel = nullptr;
  int threads = 0;
  std::size_t shared = 0;
  int carveout_percent = 100;
};

// Sets the kernel up for the launch; the blocks that the runtime says an SM holds, 0 when it cannot launch.
int blocks_by_runtime(const ResidentLaunch& launch);

// The carve-out in bytes, as cuda_occupancy.h takes the percentage.
std::size_t carveout_bytes(const Device& device, int percent);

} // namespace perfmodel::kernels
