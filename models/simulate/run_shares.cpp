#include "run_shares.hpp"

#include <algorithm>

namespace perfmodel {

std::vector<StallShare> stall_shares(const KernelTime& t) {
  std::vector<StallShare> shares;
  const auto reasons = names(Stall{});
  for (std::size_t i = 0; i < reasons.size(); ++i)
    if (t.run.stalls[i] > 0)
      shares.push_back({std::string(reasons[i]), t.run.stalls[i] / t.run.warp_cycles,
                        t.run.stalls[i] / std::max(1.0, t.run.issued)});
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return shares;
}

std::vector<UnitShare> unit_shares(const KernelTime& t) {
  std::vector<UnitShare> shares{{"issue slots", t.run.issue - t.run.held},
                                {"block launch", t.run.launch},
                                {"barriers", t.run.barriers}};
  // Slots, and cycles beside them in which a scheduler can issue nothing.
  if (t.run.held > 0) shares.push_back({"schedulers", t.run.issue});
  for (std::size_t u = 0; u < t.units.size(); ++u) shares.push_back({t.units[u], t.run.unit_busy[u]});
  std::erase_if(shares, [](const UnitShare& of) { return !(of.busy > 0); });
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.busy > b.busy; });
  return shares;
}

} // namespace perfmodel
