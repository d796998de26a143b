// What L2, by a block's share of it, has of what the block has touched before.
#include "traced_block.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace perfmodel {

// Sets of L2 lose what they held at different times: some as soon as the block has touched more lines since
// than its share has room for, all of them at 1.8 times as many. (Own measurement on an H200, 30 November
// 2026: every thread reads a row of its own, word by word and past L1, and stores another; of 35, 52 and 69
// MB of lines, where 42 fit, 5, 31 and 78 % came from device memory each time.)
bool BlockTracer::still_there(double since, std::uint64_t line) {
  constexpr double later = 0.8;
  const double place =
      static_cast<double>(line * 0x9E3779B97F4A7C15u >> 40) / (1 << 24); // 0 to 1, as by chance
  return l2_.holds(since / (1 + later * place));
}

// L2 has kept sectors that the block has loaded or stored before if it has touched no more in all than its
// share of L2. They are lost where it has touched more than that since it last read them. Between the
// two it is open: they count as all others do.
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
      return Had::never;
  }
  if (l2_.holds(state.lines.bytes())) return Had::kept;
  return !first || still_there(state.lines.since(*first), sectors.front()) ? Had::never : Had::lost;
}

// What the block itself has stored, every byte of it, is in L2 until the block has touched more than its
// share.
bool BlockTracer::stored_whole(const State& state, std::size_t slot, std::uint64_t atom) {
  const BlockFootprint& footprint = state.made.footprint;
  const std::uint64_t sectors = static_cast<std::uint64_t>(rules_.atom) / sector_bytes;
  if (footprint.stores[slot].empty() || footprint.loads[slot].contains(atom)) return false;
  TouchedLines::Access first = ~TouchedLines::Access{0}; // that stored to one of them
  for (std::uint64_t sector = atom * sectors; sector < (atom + 1) * sectors; ++sector) {
    const auto at = footprint.stores[slot].find(sector);
    if (at == footprint.stores[slot].end() || at->second.bytes != ~std::uint32_t{0}) return false;
    first = std::min(first, at->second.access);
  }
  return l2_.holds(state.lines.bytes()) || still_there(state.lines.since(first), atom * sectors);
}

} // namespace perfmodel
