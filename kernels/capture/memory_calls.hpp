// The driver's calls that fill and copy memory of the GPU, as CUPTI tells of them.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <optional>
#include <span>

namespace perfmodel::kernels {

struct MemoryCall {
  CUdeviceptr to = 0, from = 0; // from 0: from the host, or filled
  std::size_t bytes = 0;
  bool from_host = false;
};

std::span<const CUpti_CallbackId> memory_calls();

// Empty where the call is none of these.
std::optional<MemoryCall> memory_call(CUpti_CallbackId call, const void* params);

} // namespace perfmodel::kernels
