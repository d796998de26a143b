// What a launch touches of each allocation, as its sampled blocks and their neighbours show, on the memory of
// a GPU: how it grows with the blocks (footprint.hpp).
#pragma once

#include "device_traffic.hpp"
#include "launch_neighbours.hpp"
#include "launch_samples.hpp"

#include <vector>

namespace perfmodel {

struct LaunchGrowth {
  std::vector<Growth> loads, stores; // by allocation; the last is of what lies in none
  GridShape shape;                   // of the blocks that access memory
  L2Room l2;
  Rows rows;
};

// `middle` is the block in the middle of the grid, `resident` the blocks that the whole device holds.
template <class T>
LaunchGrowth launch_growth(const Gpu& gpu, const KernelLaunch& launch, const AccessRules& rules,
                           const BlockSamples& samples, const BlockRun& middle, double resident,
                           const FootprintAt& footprint_at, T& trace);

// Of the bytes of a launch: the share in stretches of device memory with which no block launched next goes
// on, shorter than a row's reach and others; and of what it stores, the share that changes lines in place
// which blocks share.
struct Stretches {
  double stored = 0, loaded = 0; // bytes
  double short_stores = 0, long_stores = 0, short_loads = 0;
  double changed_beside = 0;
};
Stretches stretches_of(const LaunchGrowth& growth);

} // namespace perfmodel
