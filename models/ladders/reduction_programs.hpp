// The warps of a block of each version of the reduction, step by step: what the source says a warp does, in
// the instructions that a compiler makes of it. Their numbers are those of nvcc 13.0 for sm_90 (cuobjdump
// -sass of kernels/probes/ladders), loops kept as loops; instructions that only move or compute addresses are
// bare issue slots.
#pragma once

#include "models/simulate/block_code.hpp"
#include "reduction.hpp"

#include "models/access/banks.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace perfmodel {

struct ReductionPass {
  ReductionVersion version = ReductionVersion::interleaved;
  ReductionType type = ReductionType::int32;
  std::int64_t threads = 256;
  double n = 0;        // numbers of this pass
  bool in_l2 = false;  // where they are
  bool first = true;   // of the array itself, not of partial sums
  double resident = 1; // blocks of an SM
  double sms = 1;
};

// Instruction classes that the programs use.
std::span<const std::string_view> reduction_classes();

// Blocks of the grid.
double reduction_blocks(const ReductionPass& pass);

BlockCode reduction_block(const SmModel& sm, const Banks& banks, const ReductionPass& pass);

// What warp `number` of a block does to add up the numbers of its threads, which it has just stored to shared
// memory, and to store their sum: by one of the first three versions, the others being more than that.
void add_tree(WarpCode& code, const SmModel& sm, const Banks& banks, const ReductionPass& pass,
              std::int64_t number);

} // namespace perfmodel
