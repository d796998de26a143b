// The warps of both launches of pi, step by step, in the instructions that nvcc 13.0 makes for sm_90
// (disassembled from kernels/probes/ladders/pi.cu).
#pragma once

#include "models/simulate/block_code.hpp"
#include "pi.hpp"

#include "models/access/banks.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace perfmodel {

// Instruction classes and functions that the programs use.
std::span<const std::string_view> pi_classes();

struct PiLaunch {
  PiVersion version = PiVersion::interleaved;
  std::int64_t threads = 256;
  double blocks = 1;
  double points = 0; // n - 1
};

// Of a block of the launch that adds up points. Threads have one point more than others where it does not
// come out even; here so many warps of each block as there are such threads in the grid. Of each warp no more
// than `most` whole trips: what a longer loop adds is the same again.
BlockCode pi_points(const SmModel& sm, const Banks& banks, const PiLaunch& launch, double most);

// Of the one block that adds up the sums of the blocks.
BlockCode pi_totals(const SmModel& sm, const Banks& banks, const PiLaunch& launch);

} // namespace perfmodel
