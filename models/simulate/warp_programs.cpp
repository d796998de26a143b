#include "warp_programs.hpp"

#include "memory_cost.hpp"

#include <algorithm>
#include <utility>

namespace perfmodel {

void WarpPrograms::add(WarpSteps warps) {
  std::vector<std::size_t>& block = made_.blocks.emplace_back();
  const std::vector<Meeting> meetings = meetings_of(warps, steps_);
  std::vector<std::vector<std::uint32_t>> meets; // the steps of their groups
  for (const Meeting& m : meetings) {
    std::vector<std::uint32_t>& groups = meets.emplace_back();
    for (std::size_t g = 0; g < m.miss.size(); ++g)
      groups.push_back(meeting(found_where(m.miss[g]), 2 * alike_[m.hit[g]], g));
  }
  take_turns_to_miss(warps, steps_);
  for (std::size_t w = 0; w < warps.size(); ++w) {
    std::vector<std::uint32_t> list;
    std::size_t next = 0; // meeting
    for (std::size_t place = 0; place < warps[w].size(); ++place) {
      if (next == meetings.size() || meetings[next].place != place) {
        list.push_back(found_where(warps[w][place]));
        continue;
      }
      list.push_back(meets[next][meetings[next].group[w]]);
      ++next;
    }
    const auto same = std::find(made_.programs.begin(), made_.programs.end(), list);
    block.push_back(static_cast<std::size_t>(same - made_.programs.begin()));
    if (same == made_.programs.end()) made_.programs.push_back(std::move(list));
  }
}

std::uint32_t WarpPrograms::found_where(std::uint32_t number) {
  const TracedStep& step = steps_[number];
  bool far = false;
  if ((step.space == Space::global || step.space == Space::local) && (step.loads || step.atomic) &&
      step.sectors > 0 && !step.again) {
    const std::size_t slot = slot_of(step, shares_);
    owed_[slot] += shares_.missing[slot];
    far = owed_[slot] >= 0.999;
    if (far) owed_[slot] -= 1;
  }
  return 2 * alike_[number] + (far ? 1 : 0);
}

std::uint32_t WarpPrograms::meeting(std::uint32_t miss, std::uint32_t hit, std::size_t group) {
  const auto [at, is_new] =
      meetings_.try_emplace({miss, hit, group}, static_cast<std::uint32_t>(made_.steps.size()));
  if (is_new) {
    made_.steps.push_back(made_.steps[miss]);
    made_.steps.back().found = hit + 1;
    made_.steps.back().group_of_warps = static_cast<std::uint8_t>(group);
  }
  return at->second;
}

} // namespace perfmodel
