#include "kernels/core/nvml.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace perfmodel::kernels {
namespace {

// From nvml.h, which not every toolkit brings: signatures return 0 for success, devices are opaque pointers.
using NvmlInit = int();
using ByBusId = int(const char*, void**);
using GetUnsigned = int(void*, unsigned*);
using GetClock = int(void*, int, unsigned*);
using GetReasons = int(void*, unsigned long long*);
using GetEcc = int(void*, unsigned*, unsigned*);
using NvmlGetText = int(char*, unsigned);
using GetEnergy = int(void*, unsigned long long*);
constexpr int clock_sm = 1, clock_memory = 2, sensor_gpu = 0;

// Idle (bit 0) is left out: it explains no lost performance.
constexpr std::array<std::pair<unsigned long long, std::string_view>, 8> reasons{{{0x2, "application_clocks"},
                                                                                  {0x4, "sw_power_cap"},
                                                                                  {0x8, "hw_slowdown"},
                                                                                  {0x10, "sync_boost"},
                                                                                  {0x20, "sw_thermal"},
                                                                                  {0x40, "hw_thermal"},
                                                                                  {0x80, "hw_power_brake"},
                                                                                  {0x100, "display_clock"}}};

} // namespace

Nvml::Nvml(const std::string& pci_bus_id) : library_({"libnvidia-ml.so.1", "libnvidia-ml.so"}) {
  const auto init = library_.find<NvmlInit>("nvmlInit_v2");
  const auto by_bus_id = library_.find<ByBusId>("nvmlDeviceGetHandleByPciBusId_v2");
  if (init == nullptr || by_bus_id == nullptr || init() != 0) return;
  if (by_bus_id(pci_bus_id.c_str(), &device_) != 0) device_ = nullptr;
}

Nvml::~Nvml() {
  if (const auto shutdown = library_.find<NvmlInit>("nvmlShutdown")) shutdown();
}

std::optional<unsigned> Nvml::unsigned_fact(const char* function) const {
  const auto read = library_.find<GetUnsigned>(function);
  unsigned value = 0;
  if (device_ == nullptr || read == nullptr || read(device_, &value) != 0) return std::nullopt;
  return value;
}

DeviceState Nvml::state() const {
  DeviceState state;
  if (device_ == nullptr) return state;
  unsigned value = 0;
  if (const auto read = library_.find<GetClock>("nvmlDeviceGetClockInfo")) {
    if (read(device_, clock_sm, &value) == 0) state.sm_clock = 1e6 * value;
    if (read(device_, clock_memory, &value) == 0) state.memory_clock = 1e6 * value;
  }
  if (const auto read = library_.find<GetClock>("nvmlDeviceGetTemperature"))
    if (read(device_, sensor_gpu, &value) == 0) state.temperature = value;
  if (const auto milliwatts = unsigned_fact("nvmlDeviceGetPowerUsage")) state.power = 1e-3 * *milliwatts;
  unsigned long long bits = 0;
  if (const auto read = library_.find<GetReasons>("nvmlDeviceGetCurrentClocksThrottleReasons"))
    if (read(device_, &bits) == 0)
      for (const auto& [bit, name] : reasons)
        if ((bits & bit) != 0) state.throttle_reasons.emplace_back(name);
  return state;
}

std::string Nvml::driver_version() const {
  std::array<char, 80> text{};
  const auto read = library_.find<NvmlGetText>("nvmlSystemGetDriverVersion");
  return read != nullptr && read(text.data(), text.size()) == 0 ? text.data() : "";
}

std::optional<bool> Nvml::ecc() const {
  unsigned current = 0, pending = 0;
  const auto read = library_.find<GetEcc>("nvmlDeviceGetEccMode");
  if (device_ == nullptr || read == nullptr || read(device_, &current, &pending) != 0) return std::nullopt;
  return current != 0;
}

std::optional<double> Nvml::power_limit() const {
  const auto milliwatts = unsigned_fact("nvmlDeviceGetEnforcedPowerLimit");
  if (!milliwatts) return std::nullopt;
  return 1e-3 * *milliwatts;
}

std::optional<double> Nvml::total_energy() const {
  unsigned long long millijoules = 0;
  const auto read = library_.find<GetEnergy>("nvmlDeviceGetTotalEnergyConsumption");
  if (device_ == nullptr || read == nullptr || read(device_, &millijoules) != 0) return std::nullopt;
  return 1e-3 * static_cast<double>(millijoules);
}

} // namespace perfmodel::kernels
