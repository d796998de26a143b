// Products of matrices in tensor units: of single warps (HMMA, IMMA, DMMA), whose registers hold all of them,
// and of four warps together (HGMMA), whose columns come from shared memory.
#pragma once

#include "step_cost.hpp"

#include "models/kernel/instruction.hpp"

namespace perfmodel {

// Throws InputError: the GPU has no tensor units, or their rate for these numbers is not known.
WarpStep matrix_cost(const KernelCosts& costs, const Instruction& instruction);

} // namespace perfmodel
