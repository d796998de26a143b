// The blocks of a launch that are run for the others, on a GPU: how many an SM holds, by which rules their
// accesses are split, and what they ask for together.
#pragma once

#include "block_samples.hpp"
#include "launch_traces.hpp"

#include "models/concurrency/occupancy.hpp"
#include "models/core/gpu.hpp"
#include "models/core/trace.hpp"

namespace perfmodel {

// The architecture that the GPU's machine code is for: 90 for cc 9.0.
int capability_of(const Gpu& gpu);

// Whether the code's control fields say nothing of this GPU, so that dependences go by registers: they hold
// where it is of the GPU's own generation.
bool goes_by_registers(const KernelCode& code, const Gpu& gpu);

// Throws LaunchError: a block does not fit.
Occupancy launch_occupancy(const Gpu& gpu, const KernelCode& code, const KernelLaunch& launch);

// Throws InputError: a fact is missing.
template <class T>
AccessRules access_rules(const Gpu& gpu, const KernelCode& code, const KernelLaunch& launch, T& trace);

std::int64_t block_at(const Shape& grid, std::int64_t x, std::int64_t y, std::int64_t z);

BlockSamples launch_samples(const KernelLaunch& launch, LaunchTraces& traces);

// What the launch asks for, by the GPU's rules, without its time. The code stays valid and as it is. Throws
// InputError: what a block does is not known, by line.
template <class T>
TraceCounts launch_counts(const Gpu& gpu, const KernelCode& code, const KernelLaunch& launch, T& trace);

} // namespace perfmodel
