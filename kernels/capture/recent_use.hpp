// Which allocations the launches of a process used last. Knows no CUDA.
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

private:
  struct Used {
    std::uint64_t address = 0, bytes = 0;
  };
  std::map<std::uint32_t, std::vector<Used>> latest_; // of each GPU, the latest last
};

} // namespace perfmodel::kernels
