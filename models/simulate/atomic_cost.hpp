// Atomic operations of global memory: L2 does them, by sectors; those that go to one word take turns.
#pragma once

#include "step_cost.hpp"

#include "models/kernel/instruction.hpp"

namespace perfmodel {

// Two numbers of 16 bits in a word.
bool adds_halves(const Instruction& instruction);

// `l2_bytes` is what L2 moves for it, `stored_lines` how many lines all that the launch stores go to.
WarpStep atomic_cost(const KernelCosts& costs, const Instruction& instruction, const TracedStep& step,
                     double l2_bytes, double stored_lines);

} // namespace perfmodel
