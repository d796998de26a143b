// Words of shared memory on cc 1.x: an arithmetic instruction can have one as an operand; the pipe of
// arithmetic moves all others between shared memory and registers.
#pragma once

#include "older_code.hpp"
#include "register_use.hpp"

#include <vector>

namespace perfmodel {

// Says so of loads, stores and arithmetic in `made`. A word is an operand where one instruction takes it, and
// nobody else. `uses`, `made`: of each instruction.
void take_from_shared(const KernelCode& code, const std::vector<RegisterUse>& uses,
                      std::vector<OlderInstruction>& made);

} // namespace perfmodel
