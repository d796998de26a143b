// What L2 keeps from one access of global memory to the next, and what it delivers.
#pragma once

#include "models/core/facts.hpp"
#include "models/core/gpu.hpp"

namespace perfmodel {

// Before compute capability 2.0 an L2 served textures alone: loads and stores of global memory met none.
inline bool has_l2(const Gpu& gpu) { return gpu.has_cost(facts::l2_latency); }

// 0 where there is none.
inline Bytes l2_capacity(const Gpu& gpu) {
  const auto size = gpu.find(facts::l2_size);
  return has_l2(gpu) && size ? size->value : Bytes{0};
}

} // namespace perfmodel
