// Atomic operations of global memory: L2 does them, by sectors; those that go to one word take turns.
#pragma once

#include "step_cost.hpp"

#include "models/kernel/instruction.hpp"

namespace perfmodel {

// Two numbers of 16 bits in a word, or in each of several.
bool adds_halves(const Instruction& instruction);

struct AtomicTraffic {
  double l2_bytes = 0; // that L2 moves for it
  // That device memory is busy for: what L2 does not hold is read there, changed, and written some time.
  double read_bytes = 0, written_bytes = 0;
  double lines = 0, words = 0; // to which all of the launch go (MemoryShares)
};
WarpStep atomic_cost(const KernelCosts& costs, const Instruction& instruction, const TracedStep& step,
                     const AtomicTraffic& traffic);

} // namespace perfmodel
