// The warps of a block of each version of the transpose, step by step, and what all blocks together ask of
// the memory pipes.
//   L1: a line looked up, or 128 bytes, is a wavefront
//   L2: bytes / B(L2); where a request asks for a part of a sector, or for single sectors of different lines,
//       requests / scatter or gather rate (probe l2-requests)
// Columns that the warps of a block read are fetched once where L1 holds loads.
#pragma once

#include "models/simulate/warp_code.hpp"
#include "transpose_kernels.hpp"
#include "transpose_memory.hpp"

#include "models/access/banks.hpp"
#include "models/access/transactions.hpp"

namespace perfmodel {

struct TransposeCounts {
  std::int64_t load_transactions = 0, store_transactions = 0; // sectors from cc 5.0 on
  std::int64_t wavefronts = 0, least_wavefronts = 0;          // of shared memory; without conflicts
};

struct TransposeMachine {
  const SmModel& sm;
  Banks banks;
  CoalescingRule load, store;
  double line_rate = 0;                               // lines that L1 looks up in a cycle; 0: no limit known
  double bytes_per_gather = 0, bytes_per_scatter = 0; // bytes for which L2 takes as long as for a request
  bool in_l2 = false;                                 // both matrices
};

// Every instruction of every block of the launch.
TransposeCounts transpose_counts(const TransposeMachine& machine, const TransposeKernel& kernel,
                                 std::int64_t n);

// Of a block whose tile lies inside.
BlockProgram transpose_program(const TransposeMachine& machine, const TransposeKernel& kernel,
                               std::int64_t n);

} // namespace perfmodel
