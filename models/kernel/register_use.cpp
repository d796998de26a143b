#include "register_use.hpp"

#include <algorithm>
#include <string_view>

namespace perfmodel {

namespace {

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// Registers that an access moves, of 32 bits.
unsigned moved(const Instruction& i) {
  if (i.has(mod("128"))) return 4;
  if (i.has(mod("64")) || i.has(mod("F64")) || i.has(mod("S64")) || i.has(mod("U64"))) return 2;
  return words_added(i);
}

bool is_memory(const Instruction& i) {
  static constexpr std::string_view all[] = {"LDG",  "LD",   "STG",  "ST",    "ATOM",   "ATOMG",  "RED",
                                             "REDG", "LDS",  "STS",  "ATOMS", "LDL",    "STL",    "LDC",
                                             "ULDC", "LDCU", "LDSM", "STSM",  "LDGSTS", "LDS_LDU"};
  return std::find(std::begin(all), std::end(all), i.opcode) != std::end(all);
}

// Opcodes without a destination.
bool only_reads(const Instruction& i) {
  static constexpr std::string_view all[] = {
      "STG", "ST",   "STS",    "STL",      "RED",   "REDG",  "BRA", "BRX",  "BAR",      "EXIT",
      "RET", "STSM", "LDGSTS", "WARPSYNC", "BSYNC", "BREAK", "R2P", "CALL", "NANOSLEEP"};
  return std::find(std::begin(all), std::end(all), i.opcode) != std::end(all);
}

bool is_tensor(const Instruction& i) {
  return i.opcode == "HMMA" || i.opcode == "IMMA" || i.opcode == "DMMA" || i.columns > 0;
}

// Of the sums of a tensor operation, that it adds to and makes: of 16 x 8 in fp16 two, else four.
unsigned sum_registers(const Instruction& i) {
  const unsigned columns = i.columns > 0 ? i.columns : 8U;
  return columns / (i.has(mod("F16")) && !i.has(mod("F32")) ? 4 : 2);
}

// Of its first factor; the second is half of it. Those of eight columns of halves are half as large.
unsigned factor_registers(const Instruction& i) {
  return i.opcode == "DMMA" || i.has(mod("1684")) || (i.has(mod("1688")) && !i.has(mod("TF32"))) ? 2 : 4;
}

// Conversions of 64 bits, by which side has them: F2F.F64.F32 makes them, F2I.F64 takes them.
bool is_conversion(const Instruction& i) {
  return starts(i.opcode, "F2F") || starts(i.opcode, "I2F") || starts(i.opcode, "F2I") || i.opcode == "FRND";
}
bool makes_64(const Instruction& i) {
  if (starts(i.opcode, "F2I")) return i.has(mod("S64")) || i.has(mod("U64"));
  return i.has(mod("F64")) && i.text.find("F32.F64") == std::string::npos;
}
bool takes_64(const Instruction& i) {
  if (starts(i.opcode, "I2F")) return i.has(mod("S64")) || i.has(mod("U64"));
  return i.has(mod("F64")) && i.text.find("F64.F32") == std::string::npos;
}

unsigned result_registers(const Instruction& i) {
  if (i.opcode == "LDSM") return i.has(mod("4")) ? 4 : i.has(mod("2")) ? 2 : 1;
  if (is_memory(i)) return moved(i);
  if (is_tensor(i)) return sum_registers(i);
  if (i.has(mod("WIDE")) || (i.opcode.size() == 4 && i.opcode[0] == 'D') ||
      (i.opcode == "CS2R" && !i.has(mod("32"))))
    return 2;
  if (is_conversion(i)) return makes_64(i) ? 2 : 1;
  return i.has(mod("64")) && (i.opcode == "UMOV" || i.opcode == "MOV") ? 2 : 1;
}

unsigned source_registers(const Instruction& i, std::size_t operand) {
  if (is_tensor(i)) {
    if (operand == 3) return sum_registers(i);
    return operand == 1 || i.opcode == "DMMA" ? factor_registers(i) : factor_registers(i) / 2;
  }
  if (is_conversion(i)) return takes_64(i) ? 2 : 1;
  if (i.opcode == "DSETP" || (i.opcode.size() == 4 && i.opcode[0] == 'D')) return 2;
  if ((i.has(mod("WIDE")) || i.has(mod("HI"))) && (i.opcode == "IMAD" || i.opcode == "UIMAD")) {
    const auto is_predicate = [](const CodeOperand& o) {
      return o.kind == OperandKind::predicate || o.kind == OperandKind::uniform_predicate;
    };
    const bool carries_in = is_predicate(i.operands.back());
    return operand + (carries_in ? 2 : 1) == i.operands.size() ? 2 : 1;
  }
  return is_memory(i) ? moved(i) : 1;
}

void add(std::vector<std::uint16_t>& places, const CodeOperand& o, unsigned registers) {
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

void add_address(std::vector<std::uint16_t>& places, const CodeOperand& o, bool wide) {
  for (unsigned more = 0; more < (o.pair || wide ? 2U : 1U); ++more) {
    if (o.base != zero_register && (more == 0 || !o.narrow))
      places.push_back(static_cast<std::uint16_t>(o.base + more));
    if (o.uniform_base != zero_uniform)
      places.push_back(static_cast<std::uint16_t>(uniform_places + o.uniform_base + more));
  }
}

// P2R and R2P: the predicates of their mask, all where it is no number.
void add_masked(std::vector<std::uint16_t>& places, const Instruction& i) {
  const CodeOperand mask = i.operands.empty() ? CodeOperand{} : i.operands.back();
  for (unsigned p = 0; p < true_predicate; ++p)
    if (mask.kind != OperandKind::integer || (mask.value >> p & 1) != 0)
      places.push_back(static_cast<std::uint16_t>(predicate_places + p));
}

} // namespace

RegisterUse register_use(const Instruction& i) {
  RegisterUse use;
  if (!i.unread.empty()) return use; // never executed
  add(use.reads, i.guard, 1);
  // Destinations come first: predicates, then a register, then predicates (a sum's carries).
  std::size_t n = 0;
  if (!only_reads(i)) {
    bool with_register = false;
    for (; n < i.operands.size(); ++n) {
      const CodeOperand& o = i.operands[n];
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
      // Two predicates and nothing else; a vote has a register and a predicate, or the predicate alone, as
      // the check of a division has.
      if ((compares && n == 1) || ((starts(i.opcode, "VOTE") || i.opcode == "FCHK") && predicate)) {
        ++n;
        break;
      }
    }
  }
  if (i.opcode == "P2R") add_masked(use.reads, i);
  if (i.opcode == "R2P") add_masked(use.writes, i);
  for (; n < i.operands.size(); ++n) {
    const CodeOperand& o = i.operands[n];
    if (o.kind == OperandKind::address)
      add_address(use.reads, o,
                  i.has(mod("E")) && i.opcode != "LDGSTS"); // of which .E is that of one address
    else if (o.kind == OperandKind::constant)
      add_address(use.reads, o, false);
    else
      add(use.reads, o, source_registers(i, n));
    if (o.kind == OperandKind::reg && o.reused) add(use.kept, o, source_registers(i, n));
  }
  return use;
}

} // namespace perfmodel
