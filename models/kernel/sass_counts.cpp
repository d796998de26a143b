#include "code_counts.hpp"

#include "register_use.hpp"

#include <algorithm>
#include <initializer_list>

namespace perfmodel {

namespace {

using Group = InstructionGroup;

bool is_one_of(const std::string& opcode, std::initializer_list<std::string_view> opcodes) {
  return std::find(opcodes.begin(), opcodes.end(), opcode) != opcodes.end();
}

bool reads_zero(const Instruction& i, std::size_t operand) {
  if (operand >= i.operands.size()) return false;
  const CodeOperand& o = i.operands[operand];
  return (o.kind == OperandKind::reg && o.index == zero_register) ||
         (o.kind == OperandKind::uniform && o.index == zero_uniform);
}

// Moves that go through another unit than MOV's: the assembler spreads them over the pipes.
bool is_move(const Instruction& i) {
  if (is_one_of(i.opcode,
                {"MOV", "MOV32I", "UMOV", "CS2R", "S2R", "S2UR", "CS2UR", "R2UR", "P2R", "R2P", "PRMT"}))
    return true;
  if (i.opcode == "IMAD") return i.has(mod("MOV")) || (reads_zero(i, 1) && reads_zero(i, 2));
  return i.opcode == "HFMA2" && i.has(mod("MMA")) && reads_zero(i, 1) && reads_zero(i, 2);
}

Group group_of(const Instruction& i) {
  const std::string& o = i.opcode;
  if (is_one_of(o, {"LDC", "ULDC", "LDCU"})) return Group::parameters;
  if (is_move(i)) return Group::moves;
  if (is_one_of(o, {"LDG", "LD", "STG", "ST", "ATOM", "ATOMG", "RED", "REDG", "TEX", "TLD", "TLD4", "SULD",
                    "SUST"}))
    return Group::global;
  if (is_one_of(o, {"LDS", "STS", "ATOMS"})) return Group::shared;
  if (is_one_of(o, {"LDL", "STL"})) return Group::local;
  if (is_one_of(o, {"SHFL", "VOTE", "VOTEU", "MATCH", "REDUX", "ELECT"})) return Group::exchange;
  if (is_one_of(o, {"BAR", "MEMBAR", "ERRBAR", "CGAERRBAR", "CCTL", "FENCE", "DEPBAR", "B2R", "UCGABAR_ARV",
                    "UCGABAR_WAIT"}))
    return Group::barriers;
  if (is_one_of(o,
                {"BSSY", "BSYNC", "BREAK", "BMOV", "WARPSYNC", "ENDCOLLECTIVE", "YIELD", "NOP", "NANOSLEEP"}))
    return Group::convergence;
  if (is_one_of(o, {"BRA", "BRX", "JMP", "EXIT", "RET", "CALL", "KILL", "BPT", "BRXU"}))
    return Group::branches;
  if (is_one_of(o, {"HMMA", "IMMA", "DMMA", "BMMA", "HGMMA", "QGMMA", "IGMMA", "BGMMA", "LDSM", "STSM",
                    "MOVM", "LDGSTS", "LDGDEPBAR", "SYNCS", "UBLKCP", "WARPGROUP", "ARRIVES"}) ||
      o.starts_with("UTM"))
    return Group::tensor;
  if (is_one_of(o, {"MUFU", "F2F", "F2FP", "F2I", "I2F", "I2FP", "FRND"})) return Group::functions;
  if (is_one_of(o, {"ISETP", "FCHK", "FSETP", "DSETP", "HSETP2", "UISETP", "PLOP3", "UPLOP3", "SEL", "USEL",
                    "FSEL", "FSET", "PSETP"}))
    return Group::compares;
  if (is_one_of(o, {"FADD", "FMUL", "FFMA", "FMNMX", "FADD32I", "FMUL32I", "FFMA32I", "DADD", "DMUL", "DFMA",
                    "DMNMX", "HADD2", "HMUL2", "HFMA2", "HMNMX2", "VHMNMX", "FSWZADD"}))
    return Group::floats;
  if (is_one_of(o, {"IADD3", "IADD", "VIADD", "IMAD",  "LEA",      "LOP3",      "LOP",   "SHF",
                    "SHL",   "SHR",  "IABS",  "IMNMX", "VIMNMX",   "VIADDMNMX", "IDP",   "SGXT",
                    "BMSK",  "POPC", "FLO",   "BREV",  "VABSDIFF", "UIADD3",    "UIMAD", "ULEA",
                    "ULOP3", "USHF", "USGXT", "UPOPC", "UFLO",     "UBMSK",     "UBREV", "UPRMT"}))
    return Group::integers;
  return Group::other;
}

} // namespace

std::vector<CountedInstruction> counted(const KernelCode& code) {
  std::vector<CountedInstruction> all;
  for (const Instruction& i : code.instructions) {
    CountedInstruction made{.group = group_of(i)};
    const std::string_view text = i.text;
    const std::size_t opcode = i.opcode.empty() ? text.npos : text.find(i.opcode);
    made.opcode = opcode == text.npos ? text : text.substr(opcode, text.find(' ', opcode) - opcode);
    made.conditional = i.guard.kind != OperandKind::none;
    const RegisterUse use = register_use(i);
    made.reads.assign(use.reads.begin(), use.reads.end());
    made.writes.assign(use.writes.begin(), use.writes.end());
    if (i.opcode == "BRA" && !i.operands.empty() && i.operands.back().kind == OperandKind::integer) {
      const std::int64_t to = i.operands.back().value;
      if (to == static_cast<std::int64_t>(i.address) && &i == &code.instructions.back()) break;
      const auto at = std::lower_bound(code.instructions.begin(), code.instructions.end(), to,
                                       [](const Instruction& one, std::int64_t address) {
                                         return static_cast<std::int64_t>(one.address) < address;
                                       });
      if (at != code.instructions.end() && static_cast<std::int64_t>(at->address) == to)
        made.target = static_cast<std::size_t>(at - code.instructions.begin());
    }
    all.push_back(std::move(made));
  }
  return all;
}

} // namespace perfmodel
