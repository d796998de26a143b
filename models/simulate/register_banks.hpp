// Operands of instructions by the bank of the register file that delivers them. A bank delivers so many in a
// cycle; an instruction of fixed latency has its operands a few cycles after its issue, or is held back, and
// with it all warps of its scheduler (Huerta, Abaie, Cruz, Gonzalez, MICRO 2025, section 5.3). What the
// instruction before has kept (.reuse) is not read again.
#pragma once

#include "sm_simulation.hpp"

#include "models/kernel/listing.hpp"

#include <vector>

namespace perfmodel {

// Of each instruction: registers that it reads of each of `banks` banks (1 to most_banks), each once; one of
// 64 bits is two. Register n is in bank n % banks.
std::vector<BankReads> bank_reads(const KernelCode& code, unsigned banks);

} // namespace perfmodel
