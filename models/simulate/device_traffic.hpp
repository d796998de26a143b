// How much of what blocks touch (footprint.hpp) comes from device memory, and goes there. Cold, all of it is
// read once; where what all blocks touch is more than L2 holds, what one wave of resident blocks has read
// must be read again by the next one that needs it. Where an index says what is read, and blocks add more
// than the allocation holds, though no two that are near one another share it, they come back to it at any
// time. A byte is still in L2 if less than L2 holds has come there since it was last asked for. With `times`
// as the mean number of times that a byte of an array is asked for, and a share t of the launch over,
//   filled(t) = sum of bytes (1 - exp(-times t)) of such arrays, and bytes t of all others
//   lost = exp(-times T), filled(T) = L2
// (H. Che, Y. Tung, Z. Wang, Hierarchical Web caching systems: modeling, design and experimental results,
// IEEE JSAC 20(7), 2002.)
//   In step, the blocks of a wave read what they share once. Out of step only those that begin together do,
// one on every SM; the others come to it at any time while L2 takes up what a wave moves, and find it with
// the chance L2 / (what a wave moves). (Naive products, n = 4096 and 6144, blocks of 32 x 1 to 32 x 32, H200,
// 29 November 2026: 253, 142, 83 and 21 GB counted for 32 x 2, 4, 8 and 16 at 6144; so 364, 182, 91 and 46;
// in step 21. In blocks of one warp L2 binds: 42 counted, 42 in step.)
#pragma once

#include "footprint.hpp"

#include "models/machine/caches.hpp"

#include <limits>
#include <span>
#include <vector>

namespace perfmodel {

struct GridShape {
  double x = 1, y = 1, z = 1; // blocks; of a grid of one row z counts as y
  double wave = 1;            // resident on the whole device
  double accessing = 1;       // share of the grid's blocks that these are
  double sms = 1;             // of the device
};

// Blocks that begin together stay in step where all of them wait for memory: who is ahead waits longest.
// Where something else binds, older blocks are served first, and after the first wave they come apart.
enum class BlockPace { in_step, out_of_step };

struct DeviceTraffic {
  std::vector<double> read;      // bytes of each allocation from device memory
  std::vector<double> lost;      // those of them that a block reads again
  std::vector<double> rewritten; // bytes of each allocation that a block stores after L2 has written them
  double filled = 0;             // bytes read because their sectors are written in part
  double written = 0;
  double left = 0;                    // bytes that L2 has yet to write when the launch ends
  std::vector<bool> there;            // of each allocation: from a launch before
  Count arrays = 0, arrays_there = 0; // of those that are touched
  bool is_there() const { return arrays > 0 && arrays_there == arrays; }
  bool repeats = false; // and that was the same launch, not one that wrote what this one reads
  double touched = 0;   // different bytes; what is loaded and stored in one allocation counts once
};

// Of each allocation: bytes of others that launches used since one used it; 0 where the same launch came
// right before, infinity where none is known to have used it. `own`: bytes of the launch's own allocations,
// all of which launches may have gone through of which this one touches a part.
struct UsedBefore {
  double all = std::numeric_limits<double>::infinity(); // where nothing is said of the allocation
  std::vector<double> others_since{};
  double own = 0;
  double since(std::size_t allocation) const {
    return allocation < others_since.size() ? others_since[allocation] : all;
  }
};

// Where L2 has halves: chance that data that it has lie in the far one alone, when a launch reads each line
// `times` times. A half keeps a copy of what its SMs have read; so a line's other half is asked once, by the
// first SM beyond it. `fetched`: the first read was served by device memory, and has left a copy on its way.
double far_chance(double times, bool fetched);

DeviceTraffic device_traffic(std::span<const Growth> loads, std::span<const Growth> stores,
                             const GridShape& grid, const L2Room& l2, const UsedBefore& before,
                             BlockPace pace = BlockPace::in_step);

} // namespace perfmodel
