// The pattern inside kernels.
#pragma once

#include "kernels/core/pattern.hpp"

namespace perfmodel::kernels {

__device__ inline std::uint32_t pattern(std::uint64_t word) {
  return static_cast<std::uint32_t>(word) * pattern_step + 1;
}

__device__ inline uint4 pattern_vector(std::uint64_t vector) {
  return make_uint4(pattern(4 * vector), pattern(4 * vector + 1), pattern(4 * vector + 2),
                    pattern(4 * vector + 3));
}

__device__ inline std::uint32_t sum_of(uint4 v) { return v.x + v.y + v.z + v.w; }

} // namespace perfmodel::kernels
