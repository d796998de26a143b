// Innermost loops of a function, as its branches show them, and what of them is the loop's own: not work, but
// counting, comparing and going back.
#pragma once

#include "code_counts.hpp"

#include <cstddef>
#include <vector>

namespace perfmodel {

struct CodeLoop {
  std::size_t first = 0, last = 0; // places of its first instruction and of the branch back to it
  std::size_t instructions = 0;    // between them, of a trip that takes no branch out of it or around
  std::size_t overhead = 0;        // of those
  std::size_t repeats = 1;         // times that one sequence of opcodes stands there, one after the other
  GroupCounts groups{};
};

// A loop's own are the branch back, the compare that decides it, and counters: a register of integers to
// which the same is added in each trip, such as the address of an array's next element.
// `repeats` is 1 where what repeats itself has less than three quarters of the loop's accesses of memory. Of
// PTX, whose order is that of the source, it says how often the compiler has put the source's body there, or
// the source itself.
std::vector<CodeLoop> innermost_loops(const std::vector<CountedInstruction>& code);

} // namespace perfmodel
