// Which instructions of a function stand in a loop.
#pragma once

#include "listing.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perfmodel {

// Of each instruction: a branch at it or behind it leads back to it or in front of it. The branch to itself
// that ends a function's code is none.
inline std::vector<bool> in_loops(const KernelCode& code) {
  std::vector<bool> in(code.instructions.size());
  for (std::size_t n = 0; n < in.size(); ++n) {
    const Instruction& i = code.instructions[n];
    if (i.opcode != "BRA" || i.operands.empty() || i.operands.back().kind != OperandKind::integer) continue;
    const std::int64_t target = i.operands.back().value;
    for (std::size_t k = n; target < i.address && k-- > 0 && code.instructions[k].address >= target;)
      in[k] = true;
    if (target < i.address) in[n] = true;
  }
  return in;
}

} // namespace perfmodel
