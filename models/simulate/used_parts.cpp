#include "used_parts.hpp"

#include "opcode_class.hpp"

#include "models/kernel/memory_step.hpp"

namespace perfmodel {

UsedParts used_by(const KernelCode& code) {
  UsedParts used{.barriers = false, .shared_memory = false, .atomics = false};
  for (const Instruction& i : code.instructions) {
    used.barriers = used.barriers || i.opcode == "BAR";
    used.lets_next_begin = used.lets_next_begin || i.opcode == "PREEXIT";
    used.fences = used.fences || i.opcode == "MEMBAR";
    used.commits = used.commits || class_of(i) == "commit";
    const MemoryOpcode* memory = find_memory_opcode(i.opcode);
    if (memory == nullptr) continue;
    const bool shared = memory->space == Space::shared || i.opcode == "LDGSTS";
    used.shared_memory |= shared;
    used.shared_atomics |= memory->atomic && memory->space == Space::shared;
    used.atomics |= memory->atomic && !shared;
    if (memory->stores && i.control.read_counter != Control::no_counter)
      (shared ? used.held_by_shared : used.held_by_global) = true;
  }
  return used;
}

} // namespace perfmodel
