#include "sm_neighbours.hpp"

#include "access_pieces.hpp"

#include "models/core/error.hpp"

namespace perfmodel {

bool stays_in_l1(const AccessRules& rules, const Instruction& i, const MemoryAccess& access) {
  return access.space == Space::global && access.loads && !access.atomic && rules.load.l1 &&
         !i.has(mod("STRONG"));
}

namespace {

// As far as `most` instructions go.
ReadOrder reads_of(const LaunchedBlocks& blocks, std::int64_t block, std::uint64_t most) {
  ReadOrder order;
  const auto see = [&](const Executed& executed) {
    if (executed.access == nullptr) return;
    const MemoryAccess& access = *executed.access;
    const bool by_data = (access.known & access.mask) != access.mask; // no two blocks have the same
    if (by_data || access.mask == 0 ||
        !stays_in_l1(blocks.rules, blocks.code.instructions[executed.instruction], access))
      return;
    for (const std::uint64_t sector : pieces_of(access, sector_bytes)) order.place_of(sector);
  };
  try {
    blocks.runner.run(block, blocks.data, see, most);
  } catch (const InputError&) { // longer than that
  }
  return order;
}

} // namespace

SmNeighbours neighbours_of(const LaunchedBlocks& blocks, std::int64_t block) {
  constexpr std::uint64_t beginning = 1000; // instructions
  constexpr std::int64_t looked_at = 7;
  constexpr std::size_t run = 2;
  const std::int64_t others = std::min(looked_at, blocks.rules.sharers - 1);
  if (others < 1) return {};
  const auto reach = static_cast<std::size_t>(blocks.rules.l1_bytes / sector_bytes);
  const ReadOrder own = reads_of(blocks, block, beginning);
  if (own.empty()) return {};
  std::vector<std::pair<double, std::int64_t>> found; // share, block
  double all = 0;
  for (std::int64_t k = 1; k <= others; ++k) {
    const std::int64_t behind = block + k * blocks.rules.apart, before = block - k * blocks.rules.apart;
    const std::int64_t other = behind < blocks.launch.grid.count() ? behind : before;
    const double share = other < 0 ? 0 : reads_of(blocks, other, beginning).share_of(own, reach);
    if (share > 0) found.emplace_back(share, other);
    all += share;
  }
  if (found.empty()) return {};
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  found.resize(std::min(found.size(), run));
  double stand_for = 0;
  std::vector<ReadOrder> orders;
  for (const auto& [share, other] : found) {
    stand_for += share;
    orders.push_back(reads_of(blocks, other, KernelRunner::most_instructions));
  }
  const double each =
      all / stand_for * static_cast<double>(blocks.rules.sharers - 1) / static_cast<double>(others);
  return {std::move(orders), each, reach, static_cast<std::size_t>(blocks.launch.warps())};
}

} // namespace perfmodel
