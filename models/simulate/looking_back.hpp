// What a launch takes longer whose blocks wait for what all blocks before them have found, as those of a scan
// in one pass do. While a block looks back it holds its place on the SM and asks memory for next to nothing,
// so that each wave of resident blocks takes longer by about the same, whatever it loads (probe look-back):
//   T = W (waves - 1)
// The looks of the first wave are simulated one by one. (An H200, 30 November 2026: a scan of 32 MiB, tiles
// of 12 KiB in 10 waves, took 33 us more with looking back than without, of 256 MiB in 83 waves 270 us, of 2
// MiB in one wave 3.3 us. CUB's scan of 2^28 integers in 83 waves took 743 us, 485 predicted without this.)
#pragma once

#include "models/core/facts.hpp"
#include "models/core/gpu.hpp"

#include <algorithm>

namespace perfmodel {

template <class T> double cycles_of_looking_back(const Gpu& gpu, double waves, T& trace) {
  return value_of(trace.cost(gpu, facts::block_look_back)).value * std::max(0.0, waves - 1);
}

} // namespace perfmodel
