// The blocks that stand for a grid: some are run at both ends and in between, in each direction. Along x,
// where two neighbours of a sample do different work, the place where it changes is looked for by halving. If
// blocks elsewhere do other work, the grid has no such order, and blocks strewn over all of it stand for it.
#pragma once

#include "block_trace.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace perfmodel {

// Blocks that do the same: their trace, how many they are, and one in the midst of them.
struct BlockKind {
  const BlockTrace* trace = nullptr;
  double weight = 0;
  std::array<std::int64_t, 3> place{};
  double longest = 0; // blocks side by side around that place
  // All of them lie along x from one to before the other.
  std::int64_t from = std::numeric_limits<std::int64_t>::max(), to = 0;
};

struct BlockSamples {
  std::vector<BlockKind> kinds;     // the most frequent first
  TraceCounts counts;               // of all blocks
  std::vector<double> read_sectors; // of all blocks beyond L1, which they had not had before, by allocation
  std::vector<double> stored_sectors;
  // That L2 has no more when they are read again, or has written when they are stored to again; and of these
  // those that come alone (BlockTrace).
  std::vector<double> lost_sectors, lost_alone;
  std::vector<double> rewritten_sectors, rewritten_alone, refilled_sectors;
  LocalTraffic local; // of all blocks
  // Of the kind whose blocks ask for most of global memory, together; and what a block asks for in the mean,
  // in what one of these does.
  BlockKind typical;
  double accessing = 1;
  // Of a row of blocks along x, the share that are of that kind, side by side; 1 where no rule says which.
  double across = 1;
  // Where no rule says which block does what: the first and the last, which may do much more.
  std::vector<const BlockTrace*> ends;
};

using TraceAt = std::function<const BlockTrace&(std::int64_t x, std::int64_t y, std::int64_t z)>;

// `effort` is what a block takes to run, in instructions: of long ones fewer are run, of those beyond
// lasting_block one.
inline constexpr std::uint64_t lasting_block = 1'000'000;
BlockSamples sample_blocks(const Shape& grid, std::uint64_t effort, std::size_t allocations,
                           const TraceAt& at);

// At most so many kinds: those of like length are one, which its most frequent, or its midmost, stands for.
std::vector<BlockKind> fewer_kinds(std::vector<BlockKind> kinds, std::size_t most);

// The kinds in the order of launches: each as often as its weight says, spread evenly.
std::vector<std::size_t> launch_order(const std::vector<BlockKind>& kinds, double blocks);

} // namespace perfmodel
