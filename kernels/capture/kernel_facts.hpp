// What the driver knows of a kernel, and of the memory that its arguments point to.
#pragma once

#include "models/kernel/captured_launches.hpp"

#include <cuda.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace perfmodel::kernels {

struct ArgumentPlace {
  std::size_t offset = 0, size = 0;
};

struct KernelFacts {
  std::optional<std::uint32_t> registers, fixed_shared;
  std::optional<std::vector<ArgumentPlace>> arguments; // none: the driver does not say
  CUmodule module = nullptr;                           // null: the driver does not say
};

// `function` as it was handed to the launch: programs with a static runtime hand over a CUkernel there.
KernelFacts kernel_facts(CUfunction function);

// The arguments of a launch, either as pointers to each or packed in a buffer, as cuLaunchKernel takes them.
// Sets arguments, allocations and arguments_known of `launch`; the addresses of the allocations. Throws
// nothing but what memory does.
std::vector<CUdeviceptr> add_arguments(CapturedLaunch& launch, const std::vector<ArgumentPlace>& places,
                                       void** each, void** extra);

CapturedGpu captured_gpu(CUdevice device);

} // namespace perfmodel::kernels
