// What a launch does to device memory, as far as costs depend on it.
#pragma once

#include "device_traffic.hpp"
#include "kernel_costs.hpp"
#include "kernel_time.hpp"
#include "memory_shares.hpp"

namespace perfmodel {

// `active_sms`: the share of the SMs that have blocks.
LaunchTraffic launch_traffic(const KernelTime& launch, const DeviceTraffic& traffic,
                             const MemoryShares& shares, double active_sms);

} // namespace perfmodel
