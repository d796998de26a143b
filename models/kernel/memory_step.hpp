// Loads, stores and atomic operations: which bytes each lane asks for, and what registers hold afterwards.
#pragma once

#include "run_block.hpp"

#include <string_view>

namespace perfmodel {

// Null where the opcode moves no memory.
const MemoryOpcode* find_memory_opcode(std::string_view opcode);

// Runs an instruction of that opcode; `first` is what it reads or writes, `second`, where it copies from
// global to shared memory, the other. Whether there is a second. `matters`: a word that it loads may decide a
// way or an address.
bool run_memory(LaneStep& step, const MemoryOpcode& opcode, bool matters, MemoryAccess& first,
                MemoryAccess& second);

} // namespace perfmodel
