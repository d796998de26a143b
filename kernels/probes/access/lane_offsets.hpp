// What distinguishes the lanes of a warp in the probes of shared and constant memory: where each one
// accesses.
#pragma once

namespace perfmodel::kernels {

inline constexpr int lanes_of_warp = 32;

struct LaneOffsets {
  unsigned byte[lanes_of_warp];
};

} // namespace perfmodel::kernels
