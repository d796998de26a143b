// Which allocations a process used last, by launches, fills and copies, and so what L2 may have of them.
// Knows no CUDA.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace perfmodel::kernels {

// An allocation: where it begins, and its bytes.
struct UsedMemory {
  std::uint64_t address = 0, bytes = 0;
};

class RecentUse {
public:
  using Since = std::vector<std::optional<std::uint64_t>>; // as CapturedLaunch::others_since

  // Older ones are forgotten, and count as not in L2.
  static constexpr std::size_t most = 256;

  // A launch uses these. Of each: bytes of others, not of this launch, that were used since it was; none: it
  // is not known to be in L2.
  Since use(std::uint32_t gpu, std::span<const UsedMemory> memory);

  // So many bytes of it were filled or copied on the GPU: where that is most of it, it is used.
  void write(std::uint32_t gpu, const UsedMemory& memory, std::uint64_t bytes);

  // So many bytes of it were copied from the host. What L2 has of them is written in its place, and little of
  // what it has not comes to it, but takes up its room all the same. A small part, such as a flag, leaves the
  // rest as it was. (An H200, 30 November 2026, cycles of one of 200 loads: 47 to 60 of what was just used,
  // 92 to 111 with emptied caches. Behind a copy from the host, after emptied caches: 50 of 256 KiB, 61 of
  // 784 KiB, 76 of 4 MiB, 95 of 16 MiB; of what had been used before 49 to 63, of 32 KiB to 32 MiB. A sum of
  // 24 MiB takes 10 us behind a fill of it, 11 behind a copy on the device, and 13 where 16 MiB were copied
  // from the host to another place after it was used.)
  void copy_in(std::uint32_t gpu, const UsedMemory& memory, std::uint64_t bytes);

  void forget_all(); // something else moved memory, nobody knows which

private:
  void add(std::uint32_t gpu, const UsedMemory& memory);

  std::map<std::uint32_t, std::vector<UsedMemory>> latest_; // of each GPU, the latest last
};

} // namespace perfmodel::kernels
