#include "launch_traffic.hpp"

#include "models/kernel/in_loops.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace perfmodel {

namespace {

// Whether the warps of a block come back to a store, once they have stored to a line or less with it, as
// where a resident grid strides over an array. Such blocks get ahead of one another, and what goes to device
// memory at a time lies in short runs all over it. (Own measurement on an H200, 30 November 2026: 3.7 TB/s of
// words, 4.2 of two and four words at a time; of words that each block stores at once, 4.6.)
bool strides_by_lines(const KernelCode& code, const KernelTime& launch, double warps) {
  constexpr double of_line = 4; // sectors
  if (launch.counts.store_sectors > of_line * launch.counts.store_requests) return false;
  const std::vector<bool> in = in_loops(code);
  for (std::size_t n = 0; n < in.size(); ++n)
    if (in[n] && code.instructions[n].is("STG") && static_cast<double>(launch.executed[n]) > warps)
      return true;
  return false;
}

} // namespace

LaunchTraffic launch_traffic(const KernelCode& code, const KernelTime& launch, const DeviceTraffic& traffic,
                             const MemoryShares& shares, const LaunchPlaces& places) {
  // Banks turn between reads and writes where a kernel does much of both.
  constexpr double few = 0.05;
  const double read = launch.dram_read.value, written = launch.dram_written.value;
  const Stretches& bytes = launch.stretches;
  // What is stored goes out as it came where it is stored once; words that complete a sector one after the
  // other are written in L2 again and again before.
  const bool stored_once = 32 * launch.counts.store_sectors < 2 * bytes.stored;
  const bool copies = std::min(read, written) > few * std::max(read, written);
  const bool writes_lines = !copies && written > read && strides_by_lines(code, launch, places.warps);
  return {.use = copies         ? MemoryUse::copy
                 : writes_lines ? MemoryUse::write_lines
                                : MemoryUse::read,
          .active = places.active_sms,
          .streams_out = traffic.written > bytes.stored / 2 && stored_once,
          .short_stretches = bytes.short_stores,
          .long_stretches = bytes.long_stores,
          .loads_too = bytes.short_loads > 0.5,
          .together = std::any_of(shares.together.begin(), shares.together.end(),
                                  [](double readers) { return readers > 1; }),
          .changed_beside = bytes.changed_beside,
          .stored_to_loaded = bytes.loaded > 0 ? bytes.stored / bytes.loaded : 1,
          .stores_in_part = launch.counts.store_lines > 0
                                ? launch.counts.store_lines_in_part / launch.counts.store_lines
                                : 0};
}

void set_device_bytes(KernelTime& launch, const DeviceTraffic& traffic, const LocalMissing& local) {
  const double read = std::accumulate(traffic.read.begin(), traffic.read.end(), traffic.filled);
  launch.dram_read = Bytes(read + local.read);
  launch.dram_written = Bytes(traffic.written + local.written);
  launch.dram_left = Bytes(traffic.left);
  launch.arrays = traffic.arrays;
  launch.arrays_in_l2 = traffic.arrays_there;
}

} // namespace perfmodel
