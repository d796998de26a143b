// The instruction classes of the throughput table: what a program's instructions are counted in, and where a
// device keeps the throughput of each.
#pragma once

#include "models/core/facts.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

enum class InstructionKind {
  plain,
  pairs,    // each instruction has two results: half2
  slot,     // known to need an issue slot alone, where the device's files do not say more
  shared,   // a warp's word from shared memory: as fast as its banks, where the files do not say more
  function, // several instructions, whose throughput is that of them all
};

struct InstructionClass {
  std::string_view name, meaning;
  const Key<PerCycle>* throughput = nullptr;
  const Key<PerCycle>* otherwise =
      nullptr; // the row of the table that covers it where it has none of its own
  InstructionKind kind = InstructionKind::plain;
  double results() const { return kind == InstructionKind::pairs ? 2 : 1; } // of one thread's instruction
};

// Single instructions first, then functions.
std::span<const InstructionClass> instruction_classes();

// nullptr when there is no such class.
const InstructionClass* find_instruction_class(std::string_view name);

// Throws InputError with the nearest name.
const InstructionClass& instruction_class(std::string_view name);

} // namespace perfmodel
