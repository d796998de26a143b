// What device memory takes for one version of the transpose, by how it meets rows and partitions.
//   addresses dealt to partitions in turn: the busiest of them, window after window (partitions.hpp); what is
//     stored behind a barrier no other block completes, as blocks reach their barriers one by one
//   hashed addresses: 8 n^2 bytes / B, where B is what a copy sustains that
//     streams                               as blocks in order complete each other's rows: copy, tile-copy
//     moves tiles to their transposed places   rows of DRAM's reach or more: tiles of 64 words and more
//                                              lines: tiles of 32 words, in diagonal order, too
// (probes dram-copy, run-copy). What lies beside a row of a block's tile is written a whole row of tiles
// later, when L2 has sent some of it away. Both matrices in L2 are nothing to device memory.
#pragma once

#include "transpose_kernels.hpp"

#include "models/core/gpu.hpp"

#include <string>

namespace perfmodel {

struct TransposeMemory {
  double read = 0, written = 0; // seconds of all of device memory
  double bytes = 0;             // that it moves, if every sector is written once
  double lines_in_words = 0;    // of a block, that it writes word by word
  std::string bound;            // what binds where it does
};

// `window`: resident blocks of the device. Throws InputError: a fact is missing.
template <class T>
TransposeMemory transpose_memory(const Gpu& gpu, const TransposeKernel& kernel, std::int64_t n, double window,
                                 T& trace);

} // namespace perfmodel
