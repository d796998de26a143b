// The costs that a kernel's machine code asks for, of a GPU: those of its instruction classes, and of the
// memory path.
#pragma once

#include "step_cost.hpp"

namespace perfmodel {

// What of a launch its costs depend on.
struct LaunchTraffic {
  MemoryUse use = MemoryUse::read;
  double active = 1;        // share of the SMs that have blocks; few share all of L2 and device memory
  bool streams_out = false; // most of what is stored goes on to device memory
  // Share of what is stored in stretches with which no block launched next goes on: shorter than a row's
  // reach of device memory, and others; whether what is loaded lies so, too.
  double short_stretches = 0, long_stretches = 0;
  bool loads_too = false;
  bool together = false;       // SMs side by side ask L2 for the same lines at about the same time
  double changed_beside = 0;   // share of what is stored in place in lines that blocks share
  double stored_to_loaded = 1; // bytes of device memory
  double stores_in_part = 0;   // share of the lines that stores ask of L2 that they do not store as a whole
  double more_in_part = 0;     // what L2 does more for a sector stored in part, where it has sent away others
};

// Throws InputError: an opcode whose class is not known, or a fact that the GPU lacks.
template <class T>
KernelCosts costs_of(const Gpu& gpu, const KernelCode& code, const LaunchTraffic& launch, T& trace);

} // namespace perfmodel
