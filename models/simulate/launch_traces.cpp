#include "launch_traces.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace perfmodel {

std::size_t LaunchTraces::size_of(const BlockTrace& trace) {
  constexpr std::size_t of_place =
      40; // in a map: key, value, a pointer to the next and one to it, and its head
  std::size_t size = 0;
  for (const std::vector<std::uint32_t>& warp : trace.warps) size += warp.size() * sizeof(std::uint32_t);
  for (const auto& loads : trace.footprint.loads) size += loads.size() * of_place;
  for (const auto& adds : trace.footprint.adds) size += adds.size() * of_place;
  for (const auto& stores : trace.footprint.stores) size += stores.size() * of_place;
  return size;
}

std::shared_ptr<LaunchTraces> remembered_traces(const KernelCode& code, const KernelLaunch& launch,
                                                const AccessRules& rules, LoadedData data,
                                                std::shared_ptr<const KernelCode> owner) {
  // A ladder of nine versions has up to five launches each, and a captured program may have some hundred,
  // which are asked for in turn, and again with other costs: fewer than all of them would be of no use. Those
  // of large launches go before.
  constexpr std::size_t most = 1024, most_size = 200'000'000;
  thread_local std::vector<std::shared_ptr<LaunchTraces>> last; // the one asked for last is the last
  const auto known = std::find_if(last.begin(), last.end(), [&](const std::shared_ptr<LaunchTraces>& one) {
    return one->are_of(code, launch, rules, data);
  });
  if (known != last.end()) {
    std::rotate(known, known + 1, last.end());
    last.back()->go_on_with(rules);
  } else {
    std::shared_ptr<LaunchReads> reads; // by other rules
    for (auto one = last.rbegin(); one != last.rend() && !reads; ++one)
      reads = (*one)->reads_of(code, launch, rules, data);
    if (!reads) reads = std::make_shared<LaunchReads>();
    auto made = std::make_shared<LaunchTraces>(code, launch, rules, data, std::move(owner), std::move(reads));
    std::size_t size = 0; // of those that stay, the last ones
    const auto stays =
        std::find_if(last.rbegin(), last.rend(), [&](const std::shared_ptr<LaunchTraces>& one) {
          size += one->size();
          return size > most_size;
        });
    last.erase(last.begin(), stays.base());
    if (last.size() == most) last.erase(last.begin());
    last.push_back(std::move(made));
  }
  return last.back();
}

} // namespace perfmodel
