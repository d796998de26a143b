// What keeps accesses of memory in order costs a GPU: memory fences, and commits of copies to shared memory.
#pragma once

#include "step_cost.hpp"

#include "models/core/gpu.hpp"

namespace perfmodel {

// Into `costs`. Throw InputError where the GPU's files lack a cost that cannot be estimated.
template <class T> void add_fences(KernelCosts& costs, const Gpu& gpu, T& trace);
template <class T> void add_commits(KernelCosts& costs, const Gpu& gpu, T& trace);

} // namespace perfmodel
