// What L2, by a block's share of it, has of what the block has touched before.
#include "traced_block.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace perfmodel {

// Sets of L2 lose what they held at different times: the first as soon as the block has touched more lines
// since than its share has room for, all of them at 1.8 times as many. (Own measurement on an H200, 30
// November 2026: every thread reads a row of its own, word by word and past L1, and stores another; of 35, 52
// and 69 MB of lines, where 42 fit, 5, 31 and 78 % came from device memory each time.)
double BlockTracer::lost_since(const State& state, TouchedLines::Access access) {
  constexpr double spread = 0.8;
  return l2_.lost(state.lines.since(access), spread);
}

// L2 has kept sectors that the block has loaded or stored before if it has touched no more in all than its
// share of L2. If it has touched more since it last read them, a share of them is lost. Between the two it is
// open: they count as all others do.
BlockTracer::Had BlockTracer::had_before(const State& state, std::size_t slot,
                                         const std::vector<std::uint64_t>& sectors) {
  const BlockFootprint& footprint = state.made.footprint;
  const auto atom_of = [&](std::uint64_t sector) {
    return sector * sector_bytes / static_cast<std::uint64_t>(rules_.atom);
  };
  std::optional<TouchedLines::Access> first; // that has read one of them
  for (const std::uint64_t sector : sectors) {
    const auto read = footprint.loads[slot].find(atom_of(sector));
    if (read != footprint.loads[slot].end())
      first = std::min(first.value_or(read->second), read->second);
    else if (!footprint.stores[slot].contains(sector))
      return {};
  }
  if (l2_.holds(state.lines.bytes())) return {.kept = true};
  return {.lost = first ? lost_since(state, *first) : 0};
}

// What the block itself has stored, every byte of it, is in L2 until half of such sectors would be lost.
bool BlockTracer::stored_whole(const State& state, std::size_t slot, std::uint64_t atom) {
  const BlockFootprint& footprint = state.made.footprint;
  const std::uint64_t sectors = static_cast<std::uint64_t>(rules_.atom) / sector_bytes;
  if (footprint.stores[slot].empty() || footprint.loads[slot].contains(atom)) return false;
  TouchedLines::Access first = state.lines.now(); // that stored to one of them
  for (std::uint64_t sector = atom * sectors; sector < (atom + 1) * sectors; ++sector) {
    const auto at = footprint.stores[slot].find(sector);
    if (at == footprint.stores[slot].end() || at->second.bytes != ~std::uint32_t{0}) return false;
    first = std::min(first, at->second.access);
  }
  return l2_.holds(state.lines.bytes()) || lost_since(state, first) < 0.5;
}

} // namespace perfmodel
