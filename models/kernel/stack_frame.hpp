// A kernel's frame on the stack in local memory: its local arrays, and registers that did not fit.
#pragma once

#include "listing.hpp"

#include <algorithm>
#include <cstdint>

namespace perfmodel {

// Where the stack of each thread begins; it grows downwards. Any number is as good.
inline constexpr std::int64_t stack_top = 0x4000;

// Bytes: what is taken from the stack pointer, R1. 0: nothing, or it is not known.
inline std::int64_t stack_frame(const KernelCode& code) {
  constexpr std::uint8_t pointer = 1;
  const auto is_pointer = [](const CodeOperand& o) {
    return o.kind == OperandKind::reg && o.index == pointer;
  };
  std::int64_t most = 0;
  for (const Instruction& i : code.instructions) {
    if (i.operands.empty() || !is_pointer(i.operands[0])) continue;
    if (std::none_of(i.operands.begin() + 1, i.operands.end(), is_pointer)) continue;
    for (const CodeOperand& taken : i.operands)
      if (taken.kind == OperandKind::integer)
        most = std::max(most, -std::int64_t{static_cast<std::int32_t>(taken.value)});
  }
  return std::min(most, stack_top);
}

} // namespace perfmodel
