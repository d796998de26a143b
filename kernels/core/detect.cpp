#include "kernels/core/driver.hpp"
#include "kernels/core/nvml.hpp"

namespace perfmodel::kernels {

DetectedDevice detect() {
  const Driver driver;
  const Nvml nvml(driver.pci_bus_id());
  DetectedDevice detected{driver.name(), driver.compute_capability(), {}};
  const auto add = [&](std::string_view path, double value,
                       std::string_view source = "cuDeviceGetAttribute") {
    if (value > 0) detected.facts.push_back({path, value, {}, source});
  };
  const auto read = [&](int which) { return static_cast<double>(driver.attribute(which)); };
  const double memory_clock = 1e3 * read(attribute::memory_clock_rate); // of kHz
  const double bus = read(attribute::memory_bus_width) / 8;
  const int threads = driver.attribute(attribute::max_threads_per_sm);
  const int warp = driver.attribute(attribute::warp_size);
  add("sm_count", read(attribute::sm_count));
  add("clock.boost", 1e3 * read(attribute::clock_rate), "CU_DEVICE_ATTRIBUTE_CLOCK_RATE");
  add("dram.size", driver.memory().value_or(0), "cuDeviceTotalMem");
  add("dram.bus", bus);
  add("dram.clock", memory_clock, "CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE");
  add("dram.bandwidth", 2 * memory_clock * bus, "2 x memory clock x bus width");
  add("l2.size", read(attribute::l2_size));
  add("warp_size", warp);
  add("max_threads_per_block", read(attribute::max_threads_per_block));
  add("max_threads_per_sm", threads);
  add("max_warps_per_sm", warp > 0 ? threads / warp : 0, "cuDeviceGetAttribute: threads / warp size");
  add("max_blocks_per_sm", read(attribute::max_blocks_per_sm));
  add("registers_per_sm", read(attribute::registers_per_sm));
  add("max_registers_per_block", read(attribute::registers_per_block));
  add("shared.per_sm", read(attribute::shared_per_sm));
  add("shared.per_block", read(attribute::shared_per_block));
  add("shared.per_block_optin", read(attribute::shared_per_block_optin));
  add("shared.reserved", read(attribute::shared_reserved),
      "CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK");
  add("power.tdp", nvml.power_limit().value_or(0), "NVML enforced power limit");
  add("pcie.generation", nvml.unsigned_fact("nvmlDeviceGetMaxPcieLinkGeneration").value_or(0), "NVML");
  add("pcie.lanes", nvml.unsigned_fact("nvmlDeviceGetMaxPcieLinkWidth").value_or(0), "NVML");
  return detected;
}

} // namespace perfmodel::kernels
