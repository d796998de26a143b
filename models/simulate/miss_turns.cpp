#include "miss_turns.hpp"

#include <algorithm>
#include <cstddef>
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
    if (misses_at(place, warps, steps) != 1) continue;
    Meeting& here = all.emplace_back(Meeting{.place = place});
    for (const auto& list : warps) (steps[list[place]].sectors > 0 ? here.miss : here.hit) = list[place];
  }
  return all;
}

} // namespace perfmodel
