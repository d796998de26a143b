// Memory partitions: which one an address is in, and how long each is busy with what the resident blocks ask.
//   partition(byte a) = (a div interleave) mod N
// A segment is a maximal run of consecutive bytes in one partition that one instruction asks for in all
// blocks of a window: what a neighbouring block's same instruction asks for beside it completes the run, but
// for stores behind a barrier, which blocks reach one by one; what other instructions ask for comes at
// another time. A partition is busy max(bytes / (B / N), 1 / (R / N)) for a segment, B the bandwidth and R
// the rate of isolated segments of all partitions. A window of resident blocks takes as long as its busiest
// partition; the next window follows it. After G. Ruetsch and P. Micikevicius, "Optimizing Matrix Transpose
// in CUDA", 2009, and J. Filipovic, 2010; the segment is ours. Assumes blocks started in order, x first, in
// lockstep, and square tiles.
#pragma once

#include "models/access/transactions.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace perfmodel {

// What a kernel does with an n x n matrix, tile by tile; `row` and `column` are how a warp goes through it.
// copy: reads rows, writes rows. tile_copy: the same through shared memory. strided_both: reads and writes
// columns. naive: reads rows, writes columns. padded: transposes tiles in shared memory, without bank
// conflicts, and writes rows of the transposed tile.
enum class MatrixKernel { copy, tile_copy, strided_both, naive, padded };
constexpr auto names(MatrixKernel) {
  return std::to_array<std::string_view>({"copy", "tile-copy", "strided-both", "naive", "padded"});
}

// Which tile a block works on: its own place, or moved along diagonals, x' = (x + y) mod columns, y' = x.
enum class TileMapping { cartesian, diagonal };
constexpr auto names(TileMapping) { return std::to_array<std::string_view>({"cartesian", "diagonal"}); }

struct Partitions {
  std::int64_t count = 1, interleave = 256; // bytes
  double bandwidth = 0;                     // B/s of all of them
  double segment_rate = 0;                  // segments per second of all of them; 0: not known, no limit
};

struct MatrixWalk {
  MatrixKernel kernel = MatrixKernel::padded;
  TileMapping mapping = TileMapping::cartesian;
  std::int64_t n = 4096, pitch = 4096, tile = 32; // words
  std::int64_t word = 4;                          // bytes
  std::int64_t window = 90;                       // resident blocks of the device
};

// Whether a kernel stores behind a barrier, which blocks reach one by one: what one of them stores no
// neighbour completes.
constexpr bool stores_behind_barrier(MatrixKernel kernel) {
  return kernel == MatrixKernel::tile_copy || kernel == MatrixKernel::padded;
}

struct PartitionLoad {
  double busiest = 0; // seconds, of the busiest partition of each window
  double even = 0;    // if every window's work were spread evenly
  double segments = 0;
  std::int64_t moved = 0; // bytes
  double share = 1;       // of the matrix that was walked
};

// Of a large matrix 64 windows, spread over it, stand for all.
PartitionLoad walk_matrix(const Partitions& partitions, const CoalescingRule& load,
                          const CoalescingRule& store, const MatrixWalk& matrix);

// Pieces of one interleave each, read at equal distances, as many at a time as `window`.
PartitionLoad walk_streams(const Partitions& partitions, std::int64_t distance, std::int64_t window);

// The partition of a byte, from 0.
std::int64_t partition_of(const Partitions& partitions, std::int64_t address);

// How many partitions addresses meet that are `distance` bytes apart.
std::int64_t partitions_met(const Partitions& partitions, std::int64_t distance);
// How many partitions the rows of the tiles are in that a row of blocks, one after the other, loads from or
// stores to, whichever are fewer.
std::int64_t partitions_met(const Partitions& partitions, const MatrixWalk& matrix);

} // namespace perfmodel
