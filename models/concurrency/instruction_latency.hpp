// Where a device keeps the latency of an instruction class.
#pragma once

#include "instruction_class.hpp"

namespace perfmodel {

// Cycles from an instruction to the one that needs its result. nullptr: none has been measured, or there is
// no result (stores, branches).
const Key<Cycles>* latency_of(const InstructionClass& instruction);

} // namespace perfmodel
