// The launches of a sum: which kernel of hwdb/kernels/reduction each version is, and with which grid, block,
// shared memory and arguments it is launched, pass after pass, until one number is left.
#pragma once

#include "reduction_version.hpp"

#include "models/kernel/launch_arguments.hpp"

#include <string>
#include <vector>

namespace perfmodel {

// A part of the kernel's name that no other of the family has. `threads`: of a block.
std::string reduction_kernel(ReductionVersion version, ReductionType type, std::int64_t threads);

// Bytes of shared memory that a launch asks for beside what the kernel declares.
std::uint64_t reduction_shared(ReductionVersion version, ReductionType type, std::int64_t threads);

// Whether the block that finds all others done adds up their sums, instead of another launch.
constexpr bool gathers_in_last_block(ReductionVersion version) { return version == ReductionVersion::vector; }

// `n` numbers by so many blocks, which leave as many sums.
struct ReductionPass {
  std::int64_t n = 0, blocks = 1;
};

// `wave`: most blocks of the first pass where there may be any number, usually those that the device holds at
// a time. `n` from 1 to 2^31.
std::vector<ReductionPass> reduction_passes(ReductionVersion version, std::int64_t threads, std::int64_t n,
                                            std::int64_t wave);

KernelLaunch reduction_launch(ReductionVersion version, ReductionType type, std::int64_t threads,
                              const ReductionPass& pass);

// The loop over the array of those versions whose grid does not grow with it; else no trips.
struct ReductionLoop {
  std::int64_t numbers = 0; // that all blocks take in a trip
  std::int64_t loads = 0;   // of a thread in a trip
};
ReductionLoop reduction_loop(ReductionVersion version, ReductionType type, std::int64_t threads,
                             std::int64_t blocks);

} // namespace perfmodel
