// The driver's calls that fill and copy memory of the GPU, as CUPTI tells of them.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <optional>
#include <span>

namespace perfmodel::kernels {

struct MemoryCall {
  CUdeviceptr to = 0, from = 0; // either may be the host's; from 0: it is, or memory is filled
  std::size_t bytes = 0;
  bool copies = false, is_known = true; // not known: how much of what is moved, as by a graph
  CUstream stream = nullptr;
};

std::span<const CUpti_CallbackId> memory_calls();

// Empty where the call is none of these.
std::optional<MemoryCall> memory_call(CUpti_CallbackId call, const void* params);

} // namespace perfmodel::kernels
