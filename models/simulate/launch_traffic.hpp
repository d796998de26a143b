// What a launch does to device memory, as far as costs depend on it.
#pragma once

#include "device_traffic.hpp"
#include "kernel_costs.hpp"
#include "kernel_time.hpp"
#include "memory_shares.hpp"

namespace perfmodel {

struct LaunchPlaces {
  double active_sms = 1; // the share of the SMs that have blocks
  double warps = 1;      // of a block
};

// Of the code's launch, whose counts and bytes of device memory are known.
LaunchTraffic launch_traffic(const KernelCode& code, const KernelTime& launch, const DeviceTraffic& traffic,
                             const MemoryShares& shares, const LaunchPlaces& places);

// What the launch moves of device memory, with what its threads' own arrays miss in L2.
void set_device_bytes(KernelTime& launch, const DeviceTraffic& traffic, const LocalMissing& local);

} // namespace perfmodel
