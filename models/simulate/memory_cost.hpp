// Accesses of memory: by wavefronts to the banks of an SM, by lines and sectors to L2 and device memory.
#pragma once

#include "step_cost.hpp"

#include "models/kernel/instruction.hpp"

#include <cstddef>

namespace perfmodel {

// The place of the step's allocation among the shares; the last is of what lies in none.
std::size_t slot_of(const TracedStep& step, const MemoryShares& shares);

// `far`: L2 lacks what it loads.
WarpStep memory_cost(const KernelCosts& costs, const Instruction& instruction, const TracedStep& step,
                     const MemoryShares& shares, bool far);

} // namespace perfmodel
