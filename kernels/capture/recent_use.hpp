// Which allocations a process used last, by launches, fills and copies. Knows no CUDA.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace perfmodel::kernels {

class RecentUse {
public:
  // Further back nobody looks: that many other allocations hold more than L2, or are a program's many.
  static constexpr std::size_t most = 256;

  // A launch uses the allocations at these addresses, of so many bytes each. Of each: bytes of others, not of
  // this launch, that were used since it was; none: it was not among the latest.
  std::vector<std::optional<std::uint64_t>> use(std::uint32_t gpu, std::span<const std::uint64_t> addresses,
                                                std::span<const std::uint64_t> bytes);

  // Copies from the host leave nothing of what they write in L2, and take up its room all the same. (An H200,
  // 30 November 2026: a sum of 24 MiB takes 18 us with emptied caches, 19 behind a copy of it from the host,
  // 10 behind a fill of it, 11 behind a copy on the device, 8 behind another sum, and 13 where 16 MiB were
  // copied from the host to another place after that.)
  void copied_in(std::uint32_t gpu, std::uint64_t address, std::uint64_t bytes);

private:
  struct Used {
    std::uint64_t address = 0, bytes = 0;
  };
  static void forget(std::vector<Used>& latest);      // the first of too many
  std::map<std::uint32_t, std::vector<Used>> latest_; // of each GPU, the latest last
};

} // namespace perfmodel::kernels
