// The instruction classes of the throughput table: what a program's instructions are counted in, and where a
// device keeps the throughput of each.
#pragma once

#include "models/core/facts.hpp"

#include <span>
#include <string_view>

namespace perfmodel {

struct InstructionClass {
  std::string_view name, meaning;
  Key<PerCycle> throughput;
  const Key<PerCycle>* otherwise =
      nullptr; // the row of the table that covers it where it has none of its own
};

// Single instructions first, then functions of several.
std::span<const InstructionClass> instruction_classes();

// nullptr when there is no such class.
const InstructionClass* find_instruction_class(std::string_view name);

} // namespace perfmodel
