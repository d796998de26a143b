#include "launch_traffic.hpp"

#include <algorithm>

namespace perfmodel {

LaunchTraffic launch_traffic(const KernelTime& launch, const DeviceTraffic& traffic,
                             const MemoryShares& shares, double active_sms) {
  // Banks turn between reads and writes where a kernel does much of both.
  constexpr double few = 0.05;
  const double read = launch.dram_read.value, written = launch.dram_written.value;
  const Stretches& bytes = launch.stretches;
  // What is stored goes out as it came where it is stored once; words that complete a sector one after the
  // other are written in L2 again and again before.
  const bool stored_once = 32 * launch.counts.store_sectors < 2 * bytes.stored;
  const bool by_lines = launch.counts.store_sectors <= 4 * launch.counts.store_requests; // of 4 sectors
  const bool copies = std::min(read, written) > few * std::max(read, written);
  return {.use = copies                       ? MemoryUse::copy
                 : by_lines && written > read ? MemoryUse::write_lines
                                              : MemoryUse::read,
          .active = active_sms,
          .streams_out = traffic.written > bytes.stored / 2 && stored_once,
          .short_stretches = bytes.short_stores,
          .long_stretches = bytes.long_stores,
          .loads_too = bytes.short_loads > 0.5,
          .together = std::any_of(shares.together.begin(), shares.together.end(),
                                  [](double readers) { return readers > 1; }),
          .changed_beside = bytes.changed_beside,
          .stored_to_loaded = bytes.loaded > 0 ? bytes.stored / bytes.loaded : 1};
}

} // namespace perfmodel
