// Holding exactly so many blocks on every SM, by the shared memory that each of them asks for.
#pragma once

#include "kernels/core/device.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace perfmodel::kernels {

// Bytes of dynamic shared memory with which `blocks` blocks of `threads` threads are resident on an SM, no
// more and no fewer; absent when the kernel's registers or the device do not allow that many.
template <class Kernel>
std::optional<std::size_t> shared_for_residency(const Device& device, Kernel* kernel, int threads,
                                                int blocks) {
  cudaFuncAttributes attributes{};
  PERFMODEL_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  const std::size_t reserved = device.properties.reservedSharedMemPerBlock + attributes.sharedSizeBytes;
  const std::size_t share = device.properties.sharedMemPerMultiprocessor / static_cast<std::size_t>(blocks);
  if (share <= reserved) return std::nullopt;
  const std::size_t bytes = std::min((share - reserved) / 1024 * 1024,
                                     device.properties.sharedMemPerBlockOptin - attributes.sharedSizeBytes);
  PERFMODEL_CUDA(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  PERFMODEL_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                      cudaSharedmemCarveoutMaxShared));
  int resident = 0;
  PERFMODEL_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, bytes));
  if (resident != blocks) return std::nullopt;
  return bytes;
}

} // namespace perfmodel::kernels
