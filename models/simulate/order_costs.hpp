// What not every kernel has to pay: memory fences, commits of copies to shared memory, and instructions that
// an SM does not have at once.
#pragma once

#include "step_cost.hpp"

#include "models/core/gpu.hpp"

namespace perfmodel {

// Into `costs`. Throw InputError where the GPU's files lack a cost that cannot be estimated.
template <class T> void add_fences(KernelCosts& costs, const Gpu& gpu, T& trace);
template <class T> void add_commits(KernelCosts& costs, const Gpu& gpu, T& trace);
// Of code larger than the smaller instruction cache of an SM.
template <class T> void add_fetch(KernelCosts& costs, const Gpu& gpu, const KernelCode& code, T& trace);

} // namespace perfmodel
