// What one version of the transpose takes, whichever way it is found: by machine code, by hand
// (transpose_boxes.hpp), or by a formula where no L2 is passed (transpose_uncached.hpp).
#pragma once

#include "rung_views.hpp"
#include "transpose_launches.hpp"

#include "models/concurrency/occupancy.hpp"
#include "models/core/gpu.hpp"
#include "models/core/trace.hpp"
#include "models/simulate/block_trace.hpp"

#include <string>

namespace perfmodel {

struct TransposeCost {
  Seconds time{0};     // of one launch of several in a row, but for the turn where `turns` says so
  bool turns = false;  // the turn of launches comes on top
  TraceCounts counts;  // of the launch
  Bytes dram_bytes{0}; // 0: both matrices stay in L2
  Count resident = 0;  // blocks of an SM
  std::string bound;
};

// Threads, registers and shared memory of a block.
Launch transpose_block(const Gpu& gpu, TransposeVersion version, const TransposeSize& size);

// Of a version that the GPU can run. Throws InputError: a fact is missing.
template <class T>
TransposeCost transpose_cost(const Gpu& gpu, TransposeVersion version, const TransposeSize& size,
                             RungViews& views, T& trace);

} // namespace perfmodel
