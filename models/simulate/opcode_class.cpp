#include "opcode_class.hpp"

namespace perfmodel {

namespace {

// How many words a row asks for; -1 where the instruction lacks one.
int words_met(const Instruction& instruction, std::string_view words) {
  int met = 0;
  while (!words.empty()) {
    words.remove_prefix(1);
    const std::string_view word = words.substr(0, words.find('.'));
    const auto modifier = find_modifier(word);
    if (!modifier || !instruction.has(*modifier)) return -1;
    words.remove_prefix(word.size());
    ++met;
  }
  return met;
}

// HFMA2.MMA R, -RZ, RZ, h, l: a constant. Compilers move some of them so, also for what has no halves.
bool moves_a_constant(const Instruction& i) {
  return i.opcode == "HFMA2" && i.operands.size() > 2 && i.operands[1].kind == OperandKind::reg &&
         i.operands[1].index == zero_register;
}

} // namespace

std::string_view class_of(const Instruction& instruction) {
  if (moves_a_constant(instruction)) return "ffma";
  const OpcodeRow* best = nullptr;
  int most = -1;
  for (const OpcodeRow& row : opcode_rows()) {
    if (row.opcode != instruction.opcode) continue;
    const int met = words_met(instruction, row.words);
    if (met > most) most = met, best = &row;
  }
  return best == nullptr ? std::string_view{} : best->instruction_class;
}

std::string_view class_of(const Instruction& instruction, const OlderInstruction& older) {
  std::string_view name = class_of(instruction);
  if (!older.opcode.empty())
    for (const OpcodeRow& row : opcode_rows())
      if (row.opcode == older.opcode && row.words.empty()) name = row.instruction_class;
  if (older.from_shared && name == "ffma") return "ffma_bs";
  return older.from_shared && name == "fadd" ? "fadd_s" : name;
}

} // namespace perfmodel
