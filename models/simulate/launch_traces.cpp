#include "launch_traces.hpp"

#include <algorithm>
#include <vector>

namespace perfmodel {

std::shared_ptr<LaunchTraces> remembered_traces(const KernelCode& code, const KernelLaunch& launch,
                                                const AccessRules& rules, LoadedData data) {
  // A ladder of nine versions has up to five launches each, which it asks for in turn.
  constexpr std::size_t most = 64;
  thread_local std::vector<std::shared_ptr<LaunchTraces>> last; // the one asked for last is the last
  const auto known = std::find_if(last.begin(), last.end(), [&](const std::shared_ptr<LaunchTraces>& one) {
    return one->are_of(code, launch, rules, data);
  });
  if (known != last.end()) {
    std::rotate(known, known + 1, last.end());
    last.back()->go_on_with(rules);
  } else {
    auto made = std::make_shared<LaunchTraces>(code, launch, rules, data);
    if (last.size() == most) last.erase(last.begin());
    last.push_back(std::move(made));
  }
  return last.back();
}

} // namespace perfmodel
