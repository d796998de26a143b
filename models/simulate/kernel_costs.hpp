// The costs that a kernel's machine code asks for, of a GPU: those of its instruction classes, and of the
// memory path.
#pragma once

#include "step_cost.hpp"

namespace perfmodel {

// `active`: share of the SMs that have blocks; few share all of L2 and device memory. Throws InputError: an
// opcode whose class is not known, or a fact that the GPU lacks.
template <class T>
KernelCosts costs_of(const Gpu& gpu, const KernelCode& code, MemoryUse use, double active, T& trace);

} // namespace perfmodel
