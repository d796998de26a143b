#include "kernels/capture/memory_use.hpp"

namespace perfmodel::kernels {

RecentUse::Since MemoryUse::launched(const CapturedLaunch& launch,
                                     const std::vector<CUdeviceptr>& addresses) {
  std::vector<UsedMemory> memory;
  for (std::size_t i = 0; i < addresses.size(); ++i) memory.push_back({addresses[i], launch.allocations[i]});
  const std::scoped_lock lock(mutex_);
  return recent_.use(launch.gpu, memory);
}

void MemoryUse::moved(const MemoryCall& call) {
  const auto to = of_gpu(call.to), from = of_gpu(call.from);
  const std::scoped_lock lock(mutex_);
  if (!call.is_known) return recent_.forget_all();
  if (from) recent_.write(from->first, from->second, call.bytes);
  if (to && call.copies && !from)
    recent_.copy_in(to->first, to->second, call.bytes);
  else if (to)
    recent_.write(to->first, to->second, call.bytes);
}

std::optional<std::pair<std::uint32_t, UsedMemory>> MemoryUse::of_gpu(CUdeviceptr address) const {
  CUmemorytype type{};
  int ordinal = 0;
  CUdevice device = 0;
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  if (address == 0 ||
      cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != CUDA_SUCCESS ||
      type != CU_MEMORYTYPE_DEVICE ||
      cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address) != CUDA_SUCCESS ||
      cuDeviceGet(&device, ordinal) != CUDA_SUCCESS ||
      cuMemGetAddressRange(&base, &bytes, address) != CUDA_SUCCESS)
    return std::nullopt;
  return std::pair(number_of_(device), UsedMemory{base, bytes});
}

} // namespace perfmodel::kernels
