// The instruction class of machine code: which pipe executes an opcode, and how fast, is that of its class on
// each GPU. The table is data, hwdb/opcodes.
#pragma once

#include "models/kernel/older_code.hpp"

#include <span>
#include <string_view>

namespace perfmodel {

struct OpcodeRow {
  double since;                   // compute capability of the code
  std::string_view opcode, words; // words behind the opcode, each with its dot
  std::string_view instruction_class;
};
std::span<const OpcodeRow> opcode_rows();

// A name of instruction_class.hpp, or one of: slot, special, uniform_load, uadd, memory, barrier, tensor. "":
// the opcode stands nowhere.
std::string_view class_of(const Instruction& instruction);
// As a compiler for an older GPU would have written it.
std::string_view class_of(const Instruction& instruction, const OlderInstruction& older);
// Of what moves words between shared memory and registers, where an older GPU has a pipe of arithmetic do it.
inline constexpr std::string_view class_of_moves = "logic";

} // namespace perfmodel
