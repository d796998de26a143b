// Clocks, power, temperature and throttle reasons of a device, read through NVML where it is installed. Only
// reads: clocks and modes are never changed.
#pragma once

#include "kernels/core/library.hpp"
#include "kernels/core/probe.hpp"

#include <optional>
#include <string>

namespace perfmodel::kernels {

class Nvml {
public:
  explicit Nvml(const std::string& pci_bus_id);
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  DeviceState state() const;
  std::string driver_version() const; // "" when not known
  std::optional<bool> ecc() const;
  std::optional<double> power_limit() const;                         // W
  std::optional<double> total_energy() const;                        // J since the driver was loaded
  std::optional<unsigned> unsigned_fact(const char* function) const; // "nvmlDeviceGetMaxPcieLinkGeneration"

private:
  Library library_;
  void* device_ = nullptr; // nullptr: NVML is absent or does not know the device
};

} // namespace perfmodel::kernels
