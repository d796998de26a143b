// Loads, stores and atomic operations: which bytes each lane asks for, and what registers hold afterwards.
#pragma once

#include "run_block.hpp"

#include <string_view>

namespace perfmodel {

// Whether the opcode moves memory.
bool is_memory_opcode(std::string_view opcode);

// Runs it; `first` is what it reads or writes, `second`, where it copies from global to shared memory, the
// other. Whether there is a second.
bool run_memory(LaneStep& step, MemoryAccess& first, MemoryAccess& second);

} // namespace perfmodel
