// Which allocations of the GPUs a program used last, as its launches and its calls for memory say. Any thread
// may call.
#pragma once

#include "kernels/capture/memory_calls.hpp"
#include "kernels/capture/recent_use.hpp"
#include "models/kernel/captured_launches.hpp"

#include <cuda.h>

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace perfmodel::kernels {

class MemoryUse {
public:
  using NumberOf = std::function<std::uint32_t(CUdevice)>; // of a GPU in the file of launches
  explicit MemoryUse(NumberOf number_of) : number_of_(std::move(number_of)) {}

  // Of each allocation of a launch, which begin there: CapturedLaunch::others_since.
  RecentUse::Since launched(const CapturedLaunch& launch, const std::vector<CUdeviceptr>& addresses);
  void moved(const MemoryCall& call);

private:
  // The allocation of a GPU in which this address lies, with the GPU's number; none: it is the host's.
  std::optional<std::pair<std::uint32_t, UsedMemory>> of_gpu(CUdeviceptr address) const;

  NumberOf number_of_;
  std::mutex mutex_;
  RecentUse recent_;
};

} // namespace perfmodel::kernels
