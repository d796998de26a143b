#include "miss_turns.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <unordered_map>

namespace perfmodel {

namespace {

std::size_t shortest(const WarpSteps& warps) {
  std::size_t length = warps.empty() ? 0 : warps.front().size();
  for (const auto& list : warps) length = std::min(length, list.size());
  return length;
}

// Of a place, how many warps miss; 0 where they do not all make the same load.
std::size_t misses_at(std::size_t place, const WarpSteps& warps, const std::vector<TracedStep>& steps) {
  const TracedStep& first = steps[warps.front()[place]];
  if (first.space != Space::global || !first.loads || first.atomic) return 0;
  std::size_t misses = 0;
  for (const auto& list : warps) {
    const TracedStep& step = steps[list[place]];
    if (step.instruction != first.instruction || step.idle) return 0;
    misses += step.sectors > 0 ? 1 : 0;
  }
  return misses;
}

} // namespace

void take_turns_to_miss(WarpSteps& warps, const std::vector<TracedStep>& steps) {
  std::unordered_map<std::uint32_t, std::size_t> turns; // of each instruction
  std::vector<std::uint32_t> here(warps.size());
  for (std::size_t place = 0, end = shortest(warps); place < end; ++place) {
    const std::size_t misses = misses_at(place, warps, steps);
    if (misses == 0 || misses == warps.size()) continue;
    for (std::size_t w = 0; w < warps.size(); ++w) here[w] = warps[w][place];
    const std::size_t turn = turns[steps[here.front()].instruction]++;
    for (std::size_t w = 0; w < warps.size(); ++w) warps[(w + turn) % warps.size()][place] = here[w];
  }
}

std::vector<Meeting> meetings_of(const WarpSteps& warps, const std::vector<TracedStep>& steps) {
  std::vector<Meeting> all;
  for (std::size_t place = 0, end = shortest(warps); place < end && warps.size() > 1; ++place) {
    const std::size_t misses = misses_at(place, warps, steps);
    if (misses == 0 || misses == warps.size()) continue;
    Meeting here{.place = place, .group = std::vector<std::uint8_t>(warps.size()), .miss = {}, .hit = {}};
    for (std::size_t w = 0; w < warps.size(); ++w) {
      if (steps[warps[w][place]].sectors == 0) continue;
      here.group[w] = static_cast<std::uint8_t>(here.miss.size());
      here.miss.push_back(warps[w][place]);
    }
    here.hit = here.miss;
    bool all_meet = true;
    for (std::size_t w = 0; w < warps.size() && all_meet; ++w) {
      const TracedStep& step = steps[warps[w][place]];
      if (step.sectors > 0) continue;
      const std::size_t by = step.fetched_by;
      const bool brought = by > 0 && by <= warps.size() && steps[warps[by - 1][place]].sectors > 0;
      all_meet = brought || misses == 1;
      here.group[w] = brought ? here.group[by - 1] : std::uint8_t{0};
      here.hit[here.group[w]] = warps[w][place];
    }
    if (all_meet) all.push_back(std::move(here));
  }
  return all;
}

std::vector<std::uint32_t> whoever_fetched(const std::vector<TracedStep>& steps) {
  std::vector<std::uint32_t> alike(steps.size());
  std::iota(alike.begin(), alike.end(), 0U);
  if (std::none_of(steps.begin(), steps.end(), [](const TracedStep& s) { return s.fetched_by > 0; }))
    return alike;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> seen; // by instruction and sectors
  for (std::uint32_t n = 0; n < steps.size(); ++n) {
    if (!steps[n].loads || steps[n].space != Space::global) continue;
    TracedStep step = steps[n];
    step.fetched_by = 0;
    std::vector<std::uint32_t>& others = seen[std::uint64_t{step.instruction} << 16 | step.sectors];
    const auto same = std::find_if(others.begin(), others.end(), [&](std::uint32_t other) {
      TracedStep one = steps[other];
      one.fetched_by = 0;
      return one == step;
    });
    if (same == others.end())
      others.push_back(n);
    else
      alike[n] = *same;
  }
  return alike;
}

} // namespace perfmodel
