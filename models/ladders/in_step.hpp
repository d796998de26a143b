// Whether the lanes of a warp find in shared memory what the others have just stored, with nothing between.
// Up to cc 6.x the threads of a warp run in step; since then each has a program counter of its own, and what
// the others have done is known after a __syncwarp alone (CUDA C++ Programming Guide, "Independent Thread
// Scheduling").
#pragma once

#include "models/core/gpu.hpp"

#include <string>

namespace perfmodel {

inline std::string right_in_step(const Gpu& gpu) {
  constexpr double own_counters = 7.0;
  return gpu.capability() < own_counters ? "yes: one warp, in step"
                                         : "not for sure: a warp need not run in step";
}

// Of what is said of an answer in its column `right`.
inline bool surely_right(const std::string& right) { return right.rfind("yes", 0) == 0; }

} // namespace perfmodel
