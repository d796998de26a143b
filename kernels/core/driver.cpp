#include "kernels/core/driver.hpp"

#include "models/core/error.hpp"

#include <array>
#include <cstddef>

namespace perfmodel::kernels {
namespace {

// From cuda.h, which comes with the toolkit: every call returns 0 for success, a device is an int.
using Init = int(unsigned);
using Get = int(int*, int);
using GetAttribute = int(int*, int, int);
using GetText = int(char*, int, int);
using GetMemory = int(std::size_t*, int);
using GetError = int(int, const char**);

} // namespace

Driver::Driver() : library_({"libcuda.so.1"}) {
  const auto init = library_.find<Init>("cuInit");
  const auto count_devices = library_.find<int(int*)>("cuDeviceGetCount");
  const auto get = library_.find<Get>("cuDeviceGet");
  if (init == nullptr || count_devices == nullptr || get == nullptr)
    throw MachineError("no NVIDIA GPU to measure on: its driver (libcuda.so.1) is not on this machine");
  int status = init(0), count = 0;
  if (status == 0) status = count_devices(&count);
  if (status == 0 && count > 0) status = get(&device_, 0);
  if (status == 0 && count > 0) return;
  const char* reason = "it sees none";
  if (const auto text = library_.find<GetError>("cuGetErrorString"); text != nullptr && status != 0)
    if (text(status, &reason) != 0 || reason == nullptr) reason = "no reason given";
  throw MachineError(std::string("no NVIDIA GPU to measure on; the driver says: ") + reason);
}

std::string Driver::name() const {
  std::array<char, 256> text{};
  const auto read = library_.find<GetText>("cuDeviceGetName");
  return read != nullptr && read(text.data(), static_cast<int>(text.size()) - 1, device_) == 0 ? text.data()
                                                                                               : "";
}

std::string Driver::compute_capability() const {
  return std::to_string(attribute(attribute::major)) + "." + std::to_string(attribute(attribute::minor));
}

std::string Driver::pci_bus_id() const {
  std::array<char, 32> text{};
  const auto read = library_.find<GetText>("cuDeviceGetPCIBusId");
  return read != nullptr && read(text.data(), static_cast<int>(text.size()), device_) == 0 ? text.data() : "";
}

std::optional<double> Driver::memory() const {
  std::size_t bytes = 0;
  const auto read = library_.find<GetMemory>("cuDeviceTotalMem_v2");
  if (read == nullptr || read(&bytes, device_) != 0) return std::nullopt;
  return static_cast<double>(bytes);
}

int Driver::attribute(int which) const {
  int value = 0;
  const auto read = library_.find<GetAttribute>("cuDeviceGetAttribute");
  return read != nullptr && read(&value, which, device_) == 0 ? value : 0;
}

} // namespace perfmodel::kernels
