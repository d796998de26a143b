// Every CUDA call goes through this one macro: an unchecked call turns a failed launch into a fast, wrong
// time.
#pragma once

#include "models/core/error.hpp"

#include <cuda_runtime_api.h>

#include <string>

namespace perfmodel::kernels {

inline void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status != cudaSuccess)
    throw MachineError(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                       cudaGetErrorString(status));
}

} // namespace perfmodel::kernels

// A macro because the message needs the call's own text and place (clang 14 has no std::source_location).
#define PERFMODEL_CUDA(call) ::perfmodel::kernels::check((call), #call, __FILE__, __LINE__)
