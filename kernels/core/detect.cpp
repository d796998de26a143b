#include "kernels/core/session.hpp"

namespace perfmodel::kernels {

DetectedDevice detect() {
  const Session session({});
  const Device& device = session.device;
  const cudaDeviceProp& p = device.properties;
  DetectedDevice detected{p.name, device.compute_capability(), {}};
  const auto add = [&](std::string_view path, double value, std::string_view source = "cudaDeviceProp") {
    if (value > 0) detected.facts.push_back({path, value, {}, source});
  };
  const auto attribute = [&](cudaDeviceAttr which) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device.index) == cudaSuccess ? value : 0;
  };
  add("sm_count", p.multiProcessorCount);
  add("clock.boost", device.max_clock, "cudaDevAttrClockRate");
  add("dram.size", static_cast<double>(p.totalGlobalMem));
  add("dram.bus", p.memoryBusWidth / 8.0);
  add("dram.clock", device.memory_clock, "cudaDevAttrMemoryClockRate");
  add("dram.bandwidth", device.pin_bandwidth().value_or(0), "2 x memory clock x bus width");
  add("l2.size", p.l2CacheSize);
  add("warp_size", p.warpSize);
  add("max_threads_per_block", p.maxThreadsPerBlock);
  add("max_threads_per_sm", p.maxThreadsPerMultiProcessor);
  const int warps = p.maxThreadsPerMultiProcessor / p.warpSize;
  add("max_warps_per_sm", warps, "cudaDeviceProp: threads / warp size");
  add("max_blocks_per_sm", p.maxBlocksPerMultiProcessor);
  add("registers_per_sm", p.regsPerMultiprocessor);
  add("max_registers_per_block", p.regsPerBlock);
  add("shared.per_sm", static_cast<double>(p.sharedMemPerMultiprocessor));
  add("shared.per_block", static_cast<double>(p.sharedMemPerBlock));
  add("shared.per_block_optin", static_cast<double>(p.sharedMemPerBlockOptin));
  add("shared.reserved", attribute(cudaDevAttrReservedSharedMemoryPerBlock),
      "cudaDevAttrReservedSharedMemoryPerBlock");
  add("power.tdp", session.nvml.power_limit().value_or(0), "NVML enforced power limit");
  add("pcie.generation", session.nvml.unsigned_fact("nvmlDeviceGetMaxPcieLinkGeneration").value_or(0),
      "NVML");
  add("pcie.lanes", session.nvml.unsigned_fact("nvmlDeviceGetMaxPcieLinkWidth").value_or(0), "NVML");
  return detected;
}

} // namespace perfmodel::kernels
