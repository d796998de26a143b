#include "kernels/capture/recent_use.hpp"

#include <algorithm>

namespace perfmodel::kernels {

std::vector<std::optional<std::uint64_t>> RecentUse::use(std::uint32_t gpu,
                                                         std::span<const std::uint64_t> addresses,
                                                         std::span<const std::uint64_t> bytes) {
  std::vector<Used>& latest = latest_[gpu];
  const auto is_of_this_launch = [&](const Used& used) {
    return std::find(addresses.begin(), addresses.end(), used.address) != addresses.end();
  };
  std::vector<std::optional<std::uint64_t>> since(addresses.size());
  std::uint64_t others = 0;
  for (auto used = latest.rbegin(); used != latest.rend(); ++used)
    if (!is_of_this_launch(*used))
      others += used->bytes;
    else
      for (std::size_t i = 0; i < addresses.size(); ++i)
        if (addresses[i] == used->address) since[i] = others;
  std::erase_if(latest, is_of_this_launch);
  for (std::size_t i = 0; i < addresses.size(); ++i) latest.push_back({addresses[i], bytes[i]});
  forget(latest);
  return since;
}

void RecentUse::copied_in(std::uint32_t gpu, std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t nowhere = 1; // no allocation begins at an odd address
  std::vector<Used>& latest = latest_[gpu];
  std::erase_if(latest, [&](const Used& used) { return (used.address | nowhere) == (address | nowhere); });
  latest.push_back({address | nowhere, bytes});
  forget(latest);
}

void RecentUse::forget(std::vector<Used>& latest) {
  if (latest.size() > most) latest.erase(latest.begin(), latest.end() - static_cast<std::ptrdiff_t>(most));
}

} // namespace perfmodel::kernels
