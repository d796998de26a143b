#include "miss_turns.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace perfmodel {

void take_turns_to_miss(std::vector<std::vector<std::uint32_t>>& warps,
                        const std::vector<TracedStep>& steps) {
  if (warps.size() < 2) return;
  std::size_t length = warps.front().size();
  for (const auto& list : warps) length = std::min(length, list.size());
  std::unordered_map<std::uint32_t, std::size_t> turns; // of each instruction
  std::vector<std::uint32_t> here(warps.size());
  for (std::size_t place = 0; place < length; ++place) {
    const TracedStep& first = steps[warps.front()[place]];
    if (first.space != Space::global || !first.loads || first.atomic) continue;
    bool alike = true, hits = false, misses = false;
    for (std::size_t w = 0; w < warps.size(); ++w) {
      here[w] = warps[w][place];
      const TracedStep& step = steps[here[w]];
      alike = alike && step.instruction == first.instruction && !step.idle;
      (step.sectors == 0 ? hits : misses) = true;
    }
    if (!alike || !hits || !misses) continue;
    const std::size_t turn = turns[first.instruction]++;
    for (std::size_t w = 0; w < warps.size(); ++w) warps[(w + turn) % warps.size()][place] = here[w];
  }
}

} // namespace perfmodel
