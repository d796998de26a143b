// What not every kernel has to pay: memory fences, commits of copies to shared memory, and instructions and
// constants that an SM does not have at once.
#pragma once

#include "step_cost.hpp"

#include "models/core/gpu.hpp"

namespace perfmodel {

// Into `costs`. Throw InputError where the GPU's files lack a cost that cannot be estimated.
template <class T> void add_fences(KernelCosts& costs, const Gpu& gpu, T& trace);
template <class T> void add_commits(KernelCosts& costs, const Gpu& gpu, T& trace);
// Of code larger than the smaller instruction cache of an SM.
template <class T> void add_fetch(KernelCosts& costs, const Gpu& gpu, const KernelCode& code, T& trace);
// Of so many bytes of constant memory, if they are more than an SM's constant cache holds.
template <class T> void add_constants(KernelCosts& costs, const Gpu& gpu, double bytes, T& trace);

} // namespace perfmodel
