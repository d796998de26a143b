#include "sm_neighbours.hpp"

#include "access_pieces.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

SmNeighbours neighbours_of(const LaunchedBlocks& blocks, LaunchReads& reads, std::int64_t block,
                           CacheRoom& l1) {
  constexpr std::uint64_t beginning = 10000; // instructions
  constexpr std::int64_t looked_at = 7;
  constexpr std::size_t run = 2;
  const std::int64_t others = std::min(looked_at, blocks.rules.sharers - 1);
  if (others < 1) return {};
  const std::shared_ptr<const ReadOrder> own = reads.of(blocks, block, beginning);
  if (own->empty()) return {};
  std::vector<std::pair<double, std::int64_t>> found; // share, block
  double all = 0;
  for (std::int64_t k = 1; k <= others; ++k) {
    const std::int64_t behind = block + k * blocks.rules.apart, before = block - k * blocks.rules.apart;
    const std::int64_t other = behind < blocks.launch.grid.count() ? behind : before;
    const double share = other < 0 ? 0 : reads.of(blocks, other, beginning)->share_of(*own, l1);
    if (share > 0) found.emplace_back(share, other);
    all += share;
  }
  if (found.empty()) return {};
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  found.resize(std::min(found.size(), run));
  double stand_for = 0;
  std::vector<std::shared_ptr<const ReadOrder>> orders;
  for (const auto& [share, other] : found) {
    stand_for += share;
    orders.push_back(reads.of(blocks, other, KernelRunner::most_instructions));
  }
  const double each =
      all / stand_for * static_cast<double>(blocks.rules.sharers - 1) / static_cast<double>(others);
  const double waves = static_cast<double>(blocks.launch.grid.count()) /
                       static_cast<double>(blocks.rules.apart * blocks.rules.sharers);
  const double first = std::min(1.0, 1 / waves);
  const auto read = static_cast<double>(orders.front()->size()); // sectors
  double by_chance = 1;
  if (first < 1 && !l1.holds(sector_bytes * std::ceil(read / 2))) {
    l1.matters();
    by_chance = 2 * std::floor(blocks.rules.l1_bytes / sector_bytes) / read;
  }
  return {std::move(orders), each, first + (1 - first) * by_chance, l1,
          static_cast<std::size_t>(blocks.launch.warps())};
}

} // namespace perfmodel
