#include "common_words.hpp"

#include "memory_step.hpp"
#include "register_use.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace perfmodel {

namespace {

// What an address of constants and arguments is made of.
constexpr std::string_view combining[] = {"MOV",   "UMOV",   "LDC", "ULDC", "LDCU", "IMAD", "UIMAD",
                                          "IADD3", "UIADD3", "LEA", "ULEA", "R2UR", "VIADD"};
constexpr int deepest = 6; // of definitions that go back to others

bool combines(const Instruction& i) {
  return i.guard.kind == OperandKind::none &&
         std::find(std::begin(combining), std::end(combining), i.opcode) != std::end(combining);
}

// Whether what stands in a register before instruction n is the same in every block, by the definition before
// it in the text. Of pairs the upper register is written by the same instruction, or by one of its own.
bool same_in_all_blocks(const KernelCode& code, std::size_t n, std::uint16_t place, int depth) {
  while (n-- > 0) {
    const Instruction& i = code.instructions[n];
    const RegisterUse use = register_use(i);
    const bool writes = std::find(use.writes.begin(), use.writes.end(), place) != use.writes.end();
    if (!writes) continue;
    return combines(i) && depth < deepest &&
           std::all_of(use.reads.begin(), use.reads.end(),
                       [&](std::uint16_t read) { return same_in_all_blocks(code, n, read, depth + 1); });
  }
  return false;
}

CommonWord changed_by(const Instruction& i) {
  const bool asks = i.is("ATOM") || i.is("ATOMG"), is_atomic = asks || i.is("RED") || i.is("REDG");
  if (is_atomic && (i.has(mod("MIN")) || i.has(mod("MAX")) || i.has(mod("CAS")))) return CommonWord::settling;
  const bool integer =
      !i.has(mod("F32")) && !i.has(mod("F64")) && !i.has(mod("F16x2")) && !i.has(mod("BF16x2"));
  return asks && integer && !i.has(mod("64")) && (i.has(mod("ADD")) || i.has(mod("INC")))
             ? CommonWord::counter
             : CommonWord::none;
}

bool same_address(const KernelCode& code, std::size_t n) {
  const Instruction& i = code.instructions[n];
  const auto address = std::find_if(i.operands.begin(), i.operands.end(),
                                    [](const CodeOperand& o) { return o.kind == OperandKind::address; });
  if (address == i.operands.end()) return false;
  const auto uniform = static_cast<std::uint16_t>(uniform_places + address->uniform_base);
  return (address->base == zero_register || same_in_all_blocks(code, n, address->base, 0)) &&
         (address->uniform_base == zero_uniform || same_in_all_blocks(code, n, uniform, 0));
}

} // namespace

std::vector<CommonWord> common_words(const KernelCode& code) {
  std::vector<CommonWord> words;
  for (std::size_t n = 0; n < code.instructions.size(); ++n) {
    const CommonWord word = changed_by(code.instructions[n]);
    words.push_back(word != CommonWord::none && same_address(code, n) ? word : CommonWord::none);
  }
  return words;
}

} // namespace perfmodel
