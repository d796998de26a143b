// What reading operands costs a scheduler beside its issue slots. The banks of its register file deliver an
// operand a cycle each; an instruction of fixed latency reads its operands within three cycles of its issue,
// or is held back (Huerta, Abaie, Cruz, Gonzalez, MICRO 2025, section 5.3). What the instruction before has
// kept (.reuse) is not read again. Followed through the code in its order, as if one warp issued alone.
#pragma once

#include "models/kernel/listing.hpp"

#include <vector>

namespace perfmodel {

// Cycles by which each instruction is held back. `reads`: operands that all banks deliver in a cycle.
std::vector<double> register_waits(const KernelCode& code, unsigned banks, double reads);

} // namespace perfmodel
