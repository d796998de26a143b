#include "scan_counts.hpp"

#include <bit>

namespace perfmodel {

namespace {

constexpr std::int64_t lanes = 32;

std::int64_t warps_of(std::int64_t n) { return (n + lanes - 1) / lanes; }

std::int64_t steps_of(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
}

} // namespace

std::int64_t threads_of(std::int64_t n) { return warps_of(n) * lanes; }

ScanCounts scan_counts(ScanVersion version, std::int64_t n) {
  const std::int64_t steps = steps_of(n);
  switch (version) {
  case ScanVersion::two_barriers:
    return {steps, 1 + 2 * steps, n * steps - (std::int64_t{1} << steps) + 1};
  case ScanVersion::two_buffers:
    return {steps, 1 + steps, n * steps - (std::int64_t{1} << steps) + 1};
  case ScanVersion::unsynchronised:
    return {steps, 0, n * steps - (std::int64_t{1} << steps) + 1};
  default:
    break;
  }
  // 31 + 30 + 28 + 24 + 16 additions of lanes with a partner; 5 of all lanes for the warps behind, and one.
  const std::int64_t alone = 129, behind = 6 * lanes;
  if (n <= lanes) return {5, 0, alone};
  return {11, 1, warps_of(n) * (alone + behind)};
}

std::int64_t scan_words(ScanVersion version, std::int64_t n) {
  const std::int64_t threads = threads_of(n);
  return version == ScanVersion::warps         ? 2 * lanes
         : version == ScanVersion::two_buffers ? 2 * threads
                                               : threads;
}

} // namespace perfmodel
