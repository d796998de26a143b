#include "special_numbers.hpp"

#include "executors.hpp"
#include "register_use.hpp"

#include "models/core/error.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace perfmodel {

namespace {

constexpr std::size_t furthest = 64; // instructions between a word and the branch that goes by it

// What a comparison of an upper word is made of.
constexpr std::string_view followed[] = {"ISETP", "FSETP", "LOP3", "IADD3", "VIADD", "IMAD", "MOV"};

// Upper words of positive doubles: in the lower lanes ordinary ones, of 2^-9 to 2^9, since e^x is finite and
// normal up to |x| = 708; in the others subnormal ones, infinity and NaN.
constexpr std::size_t ordinary_lanes = 24;
LaneWords upper_words() {
  constexpr std::uint32_t exponent = 0x00100000, one = 0x3ff00000, infinite = 0x7ff00000, largest = 9;
  constexpr std::uint32_t steps = ordinary_lanes - 1;
  constexpr std::array<std::uint32_t, 32 - ordinary_lanes> others = {1,
                                                                     exponent / 2,
                                                                     exponent - 1,
                                                                     exponent - 2,
                                                                     infinite,
                                                                     infinite + 1,
                                                                     infinite + exponent / 2,
                                                                     infinite + exponent - 1};
  LaneWords made = LaneWords::of(0);
  constexpr std::uint32_t step = 2 * largest * exponent / steps;
  std::uint32_t word = one - largest * exponent;
  for (std::size_t lane = 0; lane < ordinary_lanes; ++lane, word += step) made.at[lane] = word;
  std::copy(others.begin(), others.end(), made.at.begin() + ordinary_lanes);
  return made;
}

bool has(const std::vector<std::uint16_t>& places, std::uint16_t place) {
  return std::find(places.begin(), places.end(), place) != places.end();
}

bool is_double(const Instruction& i) { // DADD, DMUL, DFMA, DMNMX, DSETP
  return i.opcode.size() >= 4 && i.opcode[0] == 'D' && i.opcode != "DEPBAR";
}

// Whether it takes or makes a double whose upper word lies in this register.
bool has_upper_word(const Instruction& i, std::uint16_t place) {
  if (i.has(mod("RCP64H")) || i.has(mod("RSQ64H")))
    return i.operands.size() > 1 && i.operands[1].kind == OperandKind::reg &&
           i.operands[1].index != zero_register && i.operands[1].index == place;
  return is_double(i) && std::any_of(i.operands.begin(), i.operands.end(), [&](const CodeOperand& o) {
           return o.kind == OperandKind::reg && o.index != zero_register && o.index + 1U == place;
         });
}

// Whether what `writer` leaves in a register is the upper word of a double, as arithmetic of doubles makes
// it, or takes it before something else is written there.
bool is_upper_word(const KernelCode& code, std::size_t writer, std::uint16_t place) {
  if (is_double(code.instructions[writer])) return has_upper_word(code.instructions[writer], place);
  const std::size_t end = std::min(code.instructions.size(), writer + 1 + furthest);
  for (std::size_t n = writer + 1; n < end; ++n) {
    if (has_upper_word(code.instructions[n], place)) return true;
    if (has(register_use(code.instructions[n]).writes, place)) return false;
  }
  return false;
}

// What differs from block to block and from thread to thread.
bool goes_by_place(const CodeOperand& o) { return o.kind == OperandKind::special; }

// The instructions before a branch that make its predicate of one word, in order; empty: it is not so made,
// or the word is not the upper one of a double. What is written under a guard counts as written.
struct Comparison {
  std::vector<std::size_t> instructions;
  std::uint16_t word = 0; // where it lies
};
Comparison comparison_of(const KernelCode& code, std::size_t branch) {
  const auto predicate = static_cast<std::uint16_t>(predicate_places + code.instructions[branch].guard.index);
  std::vector<std::uint16_t> needed = {predicate};
  std::optional<std::uint16_t> word;
  Comparison made;
  const std::size_t first = branch > furthest ? branch - furthest : 0;
  for (std::size_t n = branch; n-- > first && !needed.empty();) {
    const Instruction& i = code.instructions[n];
    if (i.opcode == "CALL" || i.opcode == "RET" || i.opcode == "EXIT") return {};
    const RegisterUse use = register_use(i);
    const auto written = std::find_if(needed.begin(), needed.end(),
                                      [&](std::uint16_t place) { return has(use.writes, place); });
    if (written == needed.end()) continue;
    const std::uint16_t place = *written;
    std::erase_if(needed, [&](std::uint16_t one) { return has(use.writes, one); });
    if (std::find(std::begin(followed), std::end(followed), i.opcode) != std::end(followed)) {
      Instruction unguarded = i;
      unguarded.guard = {};
      if (std::any_of(i.operands.begin(), i.operands.end(), goes_by_place)) return {};
      for (const std::uint16_t read : register_use(unguarded).reads)
        if (!has(needed, read)) needed.push_back(read);
      made.instructions.push_back(n);
    } else {
      if (word || place >= predicate_places || !is_upper_word(code, n, place)) return {};
      word = place;
    }
  }
  if (!needed.empty() || !word) return {};
  std::reverse(made.instructions.begin(), made.instructions.end());
  made.word = *word;
  return made;
}

} // namespace

SpecialWay special_way(const KernelCode& code, std::size_t branch) {
  const Instruction& i = code.instructions[branch];
  const auto is_predicate_too = [](const CodeOperand& o) { return o.kind == OperandKind::predicate; };
  if (i.guard.kind != OperandKind::predicate || i.guard.index == true_predicate ||
      std::any_of(i.operands.begin(), i.operands.end(), is_predicate_too))
    return SpecialWay::none;
  const Comparison comparison = comparison_of(code, branch);
  if (comparison.instructions.empty()) return SpecialWay::none;
  const std::map<int, MemoryBytes> no_constants;
  BlockState block{.constants = &no_constants};
  WarpState warp;
  warp.registers[comparison.word] = upper_words();
  for (const std::size_t n : comparison.instructions) {
    LaneStep step(code.instructions[n], warp, block, all_lanes);
    const Executor execute = find_executor(code.instructions[n].opcode);
    if (execute == nullptr) return SpecialWay::none;
    try {
      execute(step);
    } catch (const RefusedKernel&) { // it lacks an operand, which matters to nobody who does not come there
      return SpecialWay::none;
    }
  }
  Flags taken = warp.predicates[i.guard.index];
  if (taken.known != all_lanes) return SpecialWay::none;
  if (i.guard.negated) taken = taken.inverted();
  constexpr std::uint32_t ordinary = (1U << ordinary_lanes) - 1;
  const std::uint32_t of_ordinary = taken.value & ordinary, of_others = taken.value & ~ordinary;
  if (of_ordinary == 0 && of_others != 0) return SpecialWay::if_taken;
  if (of_ordinary == ordinary && of_others != (all_lanes & ~ordinary)) return SpecialWay::if_not;
  return SpecialWay::none;
}

} // namespace perfmodel
