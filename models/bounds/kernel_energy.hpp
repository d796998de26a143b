// Energy of a kernel whose time is known, by simulation or by measurement:
//   E = W e_flop + Q_mem e_mem + (Q_L2 - Q_mem) e_L2 + pi0 T
// J. Choi, D. Bedard, R. Fowler, R. Vuduc, "A roofline model of energy", IPDPS 2013, with a price of its own
// for bytes that L2 has. What integer operations, shared memory and waiting warps take is not priced.
#pragma once

#include "models/bounds/energy.hpp"
#include "models/core/trace.hpp"

#include <optional>
#include <vector>

namespace perfmodel {

struct TimedWork {
  EnergyPrecision precision = EnergyPrecision::fp32; // of its operations
  Flops flops;
  Bytes from_memory, from_l2; // moved to and from device memory, and to and from L2
  Seconds time;
};

struct KernelEnergy {
  Joules energy;
  bool above_limit = false;    // more power than the board allows: its clock sinks, and it takes longer
  std::vector<Step> constants; // the prices
};

// Nothing where a price was not measured on this GPU.
std::optional<KernelEnergy> kernel_energy(const Gpu& gpu, const TimedWork& work);

} // namespace perfmodel
