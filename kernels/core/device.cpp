#include "kernels/core/device.hpp"

namespace perfmodel::kernels {

std::optional<double> Device::pin_bandwidth() const {
  if (memory_clock <= 0 || properties.memoryBusWidth <= 0) return std::nullopt;
  return 2 * memory_clock * properties.memoryBusWidth / 8;
}

Device open_device() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver)
    throw MachineError("the NVIDIA driver is missing or older than CUDA " + cuda_runtime_version() +
                       ", which this build uses: install a newer driver");
  if (status != cudaSuccess || count == 0)
    throw MachineError(std::string("no NVIDIA GPU to measure on: ") +
                       cudaGetErrorString(status != cudaSuccess ? status : cudaErrorNoDevice));
  Device device;
  PERFMODEL_CUDA(cudaSetDevice(device.index));
  PERFMODEL_CUDA(cudaGetDeviceProperties(&device.properties, device.index));
  // CUDA 13 took the clocks out of cudaDeviceProp; the attributes give kHz.
  int kilohertz = 0;
  PERFMODEL_CUDA(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, device.index));
  device.memory_clock = 1e3 * kilohertz;
  PERFMODEL_CUDA(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device.index));
  device.max_clock = 1e3 * kilohertz;
  return device;
}

std::string cuda_runtime_version() {
  int version = 0;
  PERFMODEL_CUDA(cudaRuntimeGetVersion(&version));
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  PERFMODEL_CUDA(cudaMemGetInfo(&free, &total));
  return free;
}

} // namespace perfmodel::kernels
