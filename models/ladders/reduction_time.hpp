// The time of a whole reduction by one version: pass after pass, each a launch of its machine code.
#pragma once

#include "reduction.hpp"

#include "models/simulate/kernel_time.hpp"

#include <string>

namespace perfmodel {

struct ReductionTime {
  Seconds time{0};
  double sectors = 0, wavefronts = 0, instructions = 0;
  Bytes dram_bytes{0};
  Count blocks = 0, resident = 0, passes = 0; // blocks of the first pass
  std::string bound;
  KernelTime first; // of the passes
  const KernelCode* code = nullptr;
};

// `first` is the trace that the first pass is explained by. Throws InputError: a missing fact.
template <class First, class T>
ReductionTime reduction_time(const Gpu& gpu, ReductionVersion version, const Reduction::Input& in,
                             First& first, T& trace);

} // namespace perfmodel
