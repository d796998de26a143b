// What device memory moves for a matrix product, through an L2 that keeps K bytes of what SMs everywhere
// read:
//   bytes = sum over groups ( different rows of A x row + different columns of B x column ) + C, once
// A group is the blocks that go through k in step. They share what they read; another group reads it at
// another time, and finds it if no more than K bytes were read in between:
//   the next group     A, where all that one group reads is K at most: A is then read once
//   the next row of    B, where B and a row of blocks' part of A are K at most: A and B are then read once
//   blocks
// Groups of the versions on an H200 (block starts were traced 2026-11-23; n = 4096, 8192):
//   tiled          blocks of an SM come apart after the first wave, as older blocks are served first, until
//   register-tiled they are spread evenly over a block's time. One slot of every SM, sms blocks in the
//                  order of the grid, is a group; all that are resident are the first.
//   tensor         the tiles of one round; of bf16 two blocks are a cluster, whose tiles are one
//   naive          nothing holds its blocks together or apart: groups are something between the whole wave
//                  and one slot of every SM. Where the two differ by more than 10 % there is no prediction,
//                  else it is their mean. (256 threads in other shapes, one of them in two places of memory,
//                  read all that lies between the two, and 16 % more at 256 x 1.)
// None either where the three matrices stay in L2 from launch to launch: what is counted then, 1 to 370 kB,
// is of others. Nor on devices without L2 (all transactions move) and where nobody has measured K. Held
// against counters of an H200, K = 30 MB: tiled +0.1 to +1.7 %, register-tiled -2.0 and -2.4 %, bf16 +1.6 and
// -3.3 %, naive blocks of 1 to 4 columns -7.5 to +2.5 %. tf32 is 14 and 15 % too low: it stores halves of
// sectors, and those that leave L2 before they are whole are read back and written again.
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
