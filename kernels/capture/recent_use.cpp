#include "kernels/capture/recent_use.hpp"

#include <algorithm>

namespace perfmodel::kernels {

namespace {

constexpr std::uint64_t from_host =
    1; // in place of an allocation that begins there: none is at an odd address

} // namespace

RecentUse::Since RecentUse::use(std::uint32_t gpu, std::span<const UsedMemory> memory) {
  const std::vector<UsedMemory>& latest = latest_[gpu];
  const auto place_of = [&](const UsedMemory& used) {
    return std::find_if(memory.begin(), memory.end(),
                        [&](const UsedMemory& own) { return own.address == used.address; });
  };
  Since since(memory.size());
  std::uint64_t others = 0;
  for (auto used = latest.rbegin(); used != latest.rend(); ++used)
    if (const auto own = place_of(*used); own != memory.end())
      since[static_cast<std::size_t>(own - memory.begin())] = others;
    else
      others += used->bytes;
  for (const UsedMemory& own : memory) add(gpu, own);
  return since;
}

void RecentUse::write(std::uint32_t gpu, const UsedMemory& memory, std::uint64_t bytes) {
  if (bytes >= memory.bytes / 2) add(gpu, memory);
}

void RecentUse::copy_in(std::uint32_t gpu, const UsedMemory& memory, std::uint64_t bytes) {
  constexpr std::uint64_t small_part = 16, stays = 2 << 20;
  if (bytes < memory.bytes / small_part) return;
  if (bytes <= stays) return write(gpu, memory, bytes);
  const std::vector<UsedMemory>& latest = latest_[gpu];
  const bool is_there = std::any_of(latest.begin(), latest.end(),
                                    [&](const UsedMemory& used) { return used.address == memory.address; });
  if (!is_there) add(gpu, {memory.address | from_host, bytes}); // else its lines are written where they lie
}

void RecentUse::forget_all() { latest_.clear(); }

void RecentUse::add(std::uint32_t gpu, const UsedMemory& memory) {
  std::vector<UsedMemory>& latest = latest_[gpu];
  std::erase_if(latest, [&](const UsedMemory& used) {
    return (used.address | from_host) == (memory.address | from_host);
  });
  latest.push_back(memory);
  if (latest.size() > most) latest.erase(latest.begin());
}

} // namespace perfmodel::kernels
