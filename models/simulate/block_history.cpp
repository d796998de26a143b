// What L2, by a block's share of it, has of what the block has touched before.
#include "traced_block.hpp"

#include <algorithm>
#include <cstdint>

namespace perfmodel {

double BlockTracer::touched_by(const BlockFootprint& footprint) const {
  double touched = 0; // bytes
  for (const auto& loads : footprint.loads)
    touched += static_cast<double>(loads.size() * static_cast<std::size_t>(rules_.atom));
  for (const auto& stores : footprint.stores) touched += static_cast<double>(stores.size()) * sector_bytes;
  return touched;
}

// L2 has kept sectors that the block has loaded or stored before if it has touched no more in all than its
// share of L2. They are lost where it has moved more than that since it last read them. Between the
// two it is open: they count as all others do.
BlockTracer::Had BlockTracer::had_before(const State& state, std::size_t slot,
                                         const std::vector<std::uint64_t>& sectors) {
  const BlockFootprint& footprint = state.made.footprint;
  const auto atom_of = [&](std::uint64_t sector) {
    return sector * sector_bytes / static_cast<std::uint64_t>(rules_.atom);
  };
  double since = 0; // bytes moved since the first of them was read
  for (const std::uint64_t sector : sectors) {
    const auto read = footprint.loads[slot].find(atom_of(sector));
    if (read != footprint.loads[slot].end())
      since = std::max(since, state.moved - read->second);
    else if (!footprint.stores[slot].contains(sector))
      return Had::never;
  }
  if (l2_.holds(touched_by(footprint))) return Had::kept;
  return l2_.holds(since) ? Had::never : Had::lost;
}

// What the block itself has stored, every byte of it, is in L2 until the block has moved more than its share.
bool BlockTracer::stored_whole(const State& state, std::size_t slot, std::uint64_t atom) {
  const BlockFootprint& footprint = state.made.footprint;
  const std::uint64_t sectors = static_cast<std::uint64_t>(rules_.atom) / sector_bytes;
  if (footprint.stores[slot].empty() || footprint.loads[slot].contains(atom)) return false;
  double since = 0; // bytes moved since the first of them was stored
  for (std::uint64_t sector = atom * sectors; sector < (atom + 1) * sectors; ++sector) {
    const auto at = footprint.stores[slot].find(sector);
    if (at == footprint.stores[slot].end() || at->second.bytes != ~std::uint32_t{0}) return false;
    since = std::max(since, state.moved - at->second.moved);
  }
  return l2_.holds(touched_by(footprint)) || l2_.holds(since);
}

} // namespace perfmodel
