// What device memory moves for a matrix product, through an L2 that keeps K bytes of what SMs everywhere
// read:
//   bytes = sum over groups ( different rows of A x row + different columns of B x column ) + C, once
// A group is the blocks that go through k in step. They share what they read; another group reads it at
// another time, and finds it if no more than K bytes were read in between:
//   the next group          A, where all that one group reads is K at most: A is then read once
//   the next row of blocks  B, where B and the row's part of A are K at most: A and B are then read once
// Groups of the versions, as traces of block starts and counters of an H200 tell:
//   tiled,          blocks of an SM come apart after the first wave, as older blocks are served first, until
//   register-tiled  they are spread evenly over a block's time: one slot of every SM is a group, `sms` blocks
//                   in the order of the grid. Those that begin the launch together are the first.
//   tensor          the tiles of a round, which all blocks begin together; two blocks of bf16 are a cluster,
//                   and their tiles one
//   naive           nothing holds its blocks together or apart: a group is anything from one slot of every SM
//                   to the whole wave. Where the two differ by more than 10 % nothing is predicted, else
//                   their mean. Counted was all that lies between the two, up to 30 % more in blocks of 256 x
//                   1, and for one shape either of them, by where the matrices lay.
// Nothing is predicted either where the three matrices stay in L2 from launch to launch: the 1 to 370 kB that
// are counted then are of others. Nor without an L2 (all transactions move), nor where K was not measured.
// C is written once. On an H200 (2026-11-22, 22:38 UTC), n = 4096 and 8192, K = 32.2 MB: naive in blocks of
// 16 x 64 +0.9 and +1.7 %, tiled 0 to +1.6 %, register-tiled -2.6 and -2.4 %, tf32 -0.1 and 0.0 %, bf16 +1.0
// and 0.0 %; before the blocks of the tensor products met before every round, tf32 moved 2.8 to 3.6 GB at
// 8192 in eleven runs of a day, and since then 2.65.
#pragma once

#include "matmul_rung.hpp"

#include "models/core/gpu.hpp"
#include "models/core/units.hpp"

#include <cstdint>

namespace perfmodel {

// Tiles of C in the order in which they are taken: down `height` of them, then one to the right; below these
// the next. Blocks of a grid, x first, are tiles of a height of 1.
struct TileWalk {
  std::int64_t down = 1, across = 1, height = 1;
};

// How often device memory delivers A and B.
struct TimesRead {
  double a = 0, b = 0;
};

// `first` tiles begin together and after them `group` at a time; each matrix has `matrix` bytes, and L2 keeps
// `kept` bytes. Of more than 2^18 groups those stand for all.
TimesRead times_read(const TileWalk& walk, std::int64_t first, std::int64_t group, double matrix,
                     double kept);

// Absent where there is no prediction; the trace says why. `resident`: blocks of an SM at a time.
template <class T>
Bytes matmul_dram_bytes(const Gpu& gpu, const MatmulRung& rung, double n, double resident, T& trace);

} // namespace perfmodel
