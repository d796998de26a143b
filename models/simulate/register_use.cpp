#include "register_use.hpp"

#include <algorithm>
#include <string_view>

namespace perfmodel {

namespace {

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// Registers that an access moves, of 32 bits.
unsigned moved(const Instruction& i) { return i.has(mod("128")) ? 4 : i.has(mod("64")) ? 2 : 1; }

bool is_memory(const Instruction& i) {
  static constexpr std::string_view all[] = {"LDG",  "LD",   "STG",  "ST",    "ATOM",  "ATOMG", "RED",
                                             "REDG", "LDS",  "STS",  "ATOMS", "LDL",   "STL",   "LDC",
                                             "ULDC", "LDCU", "LDSM", "STSM",  "LDGSTS"};
  return std::find(std::begin(all), std::end(all), i.opcode) != std::end(all);
}

// Opcodes without a destination.
bool only_reads(const Instruction& i) {
  static constexpr std::string_view all[] = {
      "STG", "ST",   "STS",    "STL",      "RED",   "REDG",  "BRA", "BRX",  "BAR",      "EXIT",
      "RET", "STSM", "LDGSTS", "WARPSYNC", "BSYNC", "BREAK", "R2P", "CALL", "NANOSLEEP"};
  return std::find(std::begin(all), std::end(all), i.opcode) != std::end(all);
}

unsigned result_registers(const Instruction& i) {
  if (is_memory(i)) return i.opcode == "LDSM" ? 4 : moved(i);
  if (i.opcode == "HMMA" || i.opcode == "IMMA" || i.opcode == "DMMA") return 4;
  if (i.has(mod("WIDE")) || (i.opcode.size() == 4 && i.opcode[0] == 'D') ||
      (i.opcode == "CS2R" && !i.has(mod("32"))))
    return 2;
  if ((starts(i.opcode, "F2F") || starts(i.opcode, "I2F")) && i.has(mod("F64")) &&
      i.text.find("F32.F64") == std::string::npos)
    return 2;
  return i.has(mod("64")) && (i.opcode == "UMOV" || i.opcode == "MOV") ? 2 : 1;
}

unsigned source_registers(const Instruction& i, std::size_t operand) {
  if (i.opcode == "HMMA" || i.opcode == "IMMA" || i.opcode == "DMMA")
    return operand == 1 || operand == 3 ? 4 : 2;
  if (i.opcode == "DSETP" || (i.opcode.size() == 4 && i.opcode[0] == 'D')) return 2;
  if ((i.has(mod("WIDE")) || i.has(mod("HI"))) && (i.opcode == "IMAD" || i.opcode == "UIMAD") &&
      operand + 1 == i.operands.size())
    return 2;
  return is_memory(i) ? moved(i) : 1;
}

void add(std::vector<std::uint16_t>& places, const Operand& o, unsigned registers) {
  for (unsigned more = 0; more < registers; ++more) {
    if (o.kind == OperandKind::reg && o.index + more < zero_register)
      places.push_back(static_cast<std::uint16_t>(o.index + more));
    if (o.kind == OperandKind::uniform && o.index != zero_uniform)
      places.push_back(static_cast<std::uint16_t>(uniform_places + o.index + more));
  }
  if (o.kind == OperandKind::predicate && o.index != true_predicate)
    places.push_back(static_cast<std::uint16_t>(predicate_places + o.index));
  if (o.kind == OperandKind::uniform_predicate && o.index != true_predicate)
    places.push_back(static_cast<std::uint16_t>(uniform_predicate_places + o.index));
}

void add_address(std::vector<std::uint16_t>& places, const Operand& o, bool wide) {
  if (o.base != zero_register)
    for (unsigned more = 0; more < (o.pair || wide ? 2U : 1U); ++more)
      places.push_back(static_cast<std::uint16_t>(o.base + more));
  if (o.uniform_base != zero_uniform)
    places.push_back(static_cast<std::uint16_t>(uniform_places + o.uniform_base));
}

} // namespace

RegisterUse register_use(const Instruction& i) {
  RegisterUse use;
  add(use.reads, i.guard, 1);
  // Destinations come first: predicates, then a register, then predicates (a sum's carries).
  std::size_t n = 0;
  if (!only_reads(i)) {
    bool with_register = false;
    for (; n < i.operands.size(); ++n) {
      const Operand& o = i.operands[n];
      const bool predicate = o.kind == OperandKind::predicate || o.kind == OperandKind::uniform_predicate,
                 reg = o.kind == OperandKind::reg || o.kind == OperandKind::uniform;
      if (predicate && !(o.negated))
        add(use.writes, o, 1);
      else if (reg && !with_register)
        add(use.writes, o, result_registers(i)), with_register = true;
      else
        break;
      const bool compares =
          i.opcode.find("SETP") != std::string::npos || i.opcode == "PLOP3" || i.opcode == "UPLOP3";
      if (compares && n == 1) { // two predicates and nothing else
        ++n;
        break;
      }
    }
  }
  for (; n < i.operands.size(); ++n) {
    const Operand& o = i.operands[n];
    if (o.kind == OperandKind::address)
      add_address(use.reads, o, i.has(mod("E")) && !o.narrow);
    else if (o.kind == OperandKind::constant)
      add_address(use.reads, o, false);
    else
      add(use.reads, o, source_registers(i, n));
  }
  return use;
}

} // namespace perfmodel
