// Atomic operations on words that are known: a counter in shared memory that starts at zero, or one in device
// memory of which the launch says what it held.
#pragma once

#include "run_block.hpp"

#include <cstddef>

namespace perfmodel {

// Lane after lane, as if no other block took part: memory afterwards, and what each lane gets, where it is
// known. All addresses are known; `data` is the operand that is combined with what lies there.
LaneWords run_atomic(LaneStep& step, const MemoryAccess& access, std::size_t data);

} // namespace perfmodel
