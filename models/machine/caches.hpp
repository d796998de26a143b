// What L2 keeps from one access of global memory to the next, and what it delivers.
#pragma once

#include "models/core/facts.hpp"
#include "models/core/gpu.hpp"
#include "models/core/trace.hpp"

#include <algorithm>

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

// Bytes of L2. Where it has halves, each keeps a copy of what its SMs read of the other: of data that all SMs
// read it holds only `shared`; a line that one SM reads or writes takes, on average, 2 - shared / all times
// its size. (On an H200, 2026-11-24, launches in a row: 40 MiB read, 16 and 16 MiB copied and 32 MiB changed
// in place stay there; 48, 24 and 24, 48 do not.)
struct L2Room {
  double shared = 0, all = shared;
  // Of lines that one SM each reads or writes.
  double alone() const { return all > 0 ? all / (2 - shared / all) : 0; }
};
template <class T> L2Room l2_room(const Gpu& gpu, T& trace) {
  const double kept = l2_capacity(gpu, trace).value;
  const double size =
      has_l2(gpu) && gpu.has_cost(facts::l2_size) ? value_of(trace.cost(gpu, facts::l2_size)).value : 0;
  return {kept, std::max(kept, size)};
}

} // namespace perfmodel
