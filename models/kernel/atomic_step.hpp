// Atomic operations on words that are known: a counter in shared memory that starts at zero, or one in device
// memory of which the launch says what it held.
#pragma once

#include "run_block.hpp"

#include <cstddef>

namespace perfmodel {

// Lane after lane, as if no other block took part, but for counters from which all draw: memory afterwards,
// and what each lane gets, where it is known. All addresses are known; `data` is the operand that is combined
// with what lies there.
LaneWords run_atomic(LaneStep& step, const MemoryAccess& access, std::size_t data);

// ATOMS.CAST, with which a loop adds floats to shared memory: a word that is still what a lane has loaded is
// exchanged, and the lane is told 1, or else 0. Of lanes with the same word the first one succeeds, unless
// another warp has come between: a warp needs 1 + 2/3 x n tries for a word that n others have had before it.
// Own measurement of 2 to 32 warps that add to one word, H200, 2026-11-28: from load to exchange takes about
// half as long as from one try to the next, so that about half of the others' successes fall between.
// `to`: the register that is told, or the first of two.
void compare_and_store(LaneStep& step, const MemoryAccess& access, std::size_t to, std::size_t data);

} // namespace perfmodel
