// The time of a launch of a pattern's kernel, with data that no cache holds.
#pragma once

#include "kernel_time.hpp"

#include "models/kernel/pattern_kernel.hpp"

#include <cstdint>

namespace perfmodel {

// Simulated steps of a launch of which many are asked for: six times a million move the mean error of the
// sums on an H200 from 4.52 to 4.54 %.
inline constexpr std::uint64_t few_steps = 750'000;

// `most_resident`: blocks that an SM is kept to; 0: all that fit.
template <class T>
KernelTime pattern_time(const Gpu& gpu, const PatternKernel& pattern, std::int64_t blocks,
                        Count most_resident, T& trace);

} // namespace perfmodel
