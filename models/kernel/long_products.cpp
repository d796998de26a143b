#include "long_products.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace perfmodel {

namespace {

using Does = ProductStep::Does;

constexpr std::string_view passing[] = {"IADD3", "IADD", "VIADD", "IMAD", "MOV", "LOP3"};

bool is_source(const Instruction& i, std::size_t operand) {
  const OperandKind kind = i.operands[operand].kind;
  return kind == OperandKind::reg || kind == OperandKind::uniform || kind == OperandKind::constant;
}

Does does(const Instruction& i) {
  if (i.is("IMAD") && i.has(mod("WIDE")))
    return i.operands.size() > 2 && is_source(i, 1) && is_source(i, 2) ? Does::makes : Does::overwrites;
  if (i.is("ISETP")) return i.has(mod("NE")) || i.has(mod("EQ")) ? Does::passes : Does::overwrites;
  const bool passes = std::find(std::begin(passing), std::end(passing), i.opcode) != std::end(passing);
  return passes && !i.has(mod("HI")) ? Does::passes : Does::overwrites;
}

} // namespace

std::vector<ProductStep> product_steps(const KernelCode& code) {
  std::vector<ProductStep> steps;
  for (const Instruction& i : code.instructions) steps.push_back({does(i), register_use(i)});
  return steps;
}

std::size_t short_division(const KernelCode& code, std::size_t from) {
  constexpr std::size_t soon = 4; // instructions
  const std::size_t end = std::min(code.instructions.size(), from + soon);
  for (std::size_t n = from; n < end; ++n) {
    const Instruction& i = code.instructions[n];
    if (i.is("I2F") && i.has(mod("U32")) && i.has(mod("RP")) && i.operands.size() > 1) return n;
  }
  return code.instructions.size();
}

void LongProducts::follow(const ProductStep& what, const LaneStep& step) {
  std::uint32_t passed = 0;
  if (what.does == Does::passes)
    for (const std::uint16_t place : what.use.reads)
      if (!is_predicate(place)) passed |= lanes_[place];
  for (const std::uint16_t place : what.use.writes)
    lanes_[place] = (lanes_[place] & ~step.mask) | (passed & step.mask);
  if (what.does == Does::makes && what.use.writes.size() == 2)
    lanes_[what.use.writes[1]] |= step.mask & ~step.raw(1).known & ~step.raw(2).known;
}

} // namespace perfmodel
