// What a cache has lost of data that a kernel comes back to, by how much the data are.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace perfmodel::kernels {

// The footprint in bytes at which such a share is lost, between two that were counted, of pairs of a
// footprint and the share lost of it, by rising footprints. nullopt: it lies between no two.
inline std::optional<double> footprint_at(double share, const std::vector<std::pair<double, double>>& lost) {
  for (std::size_t n = 1; n < lost.size(); ++n) {
    const auto [before, less] = lost[n - 1];
    const auto [after, more] = lost[n];
    if (less < share && share <= more) return before + (after - before) * (share - less) / (more - less);
  }
  return std::nullopt;
}

} // namespace perfmodel::kernels
