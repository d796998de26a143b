// What L2 keeps from one access of global memory to the next, and what it delivers.
#pragma once

#include "models/core/facts.hpp"
#include "models/core/gpu.hpp"
#include "models/core/trace.hpp"

namespace perfmodel {

// Before compute capability 2.0 an L2 served textures alone: loads and stores of global memory met none.
inline bool has_l2(const Gpu& gpu) { return gpu.has_cost(facts::l2_latency); }

// Bytes that SMs everywhere find there again; 0 where there is no L2. Less than its size where L2 has halves
// that keep a copy each.
template <class T> Bytes l2_capacity(const Gpu& gpu, T& trace) {
  if (!has_l2(gpu) || !gpu.has_cost(facts::l2_shared_capacity)) return Bytes{0};
  return value_of(trace.cost(gpu, facts::l2_shared_capacity));
}
// For what has no trace: no grade sees it.
inline Bytes l2_capacity(const Gpu& gpu) {
  Plain plain;
  return l2_capacity(gpu, plain);
}

} // namespace perfmodel
