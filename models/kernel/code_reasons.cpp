#include "code_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

namespace {

using Group = InstructionGroup;

template <class All, class F> std::size_t count_if(const All& all, F f) {
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), f));
}

bool is_zero(const CodeOperand& o) {
  return (o.kind == OperandKind::reg && o.index == zero_register) ||
         (o.kind == OperandKind::uniform && o.index == zero_uniform) ||
         (o.kind == OperandKind::integer && o.value == 0);
}

// Numbers that it works on, behind its first result: of a carry or a comparison none.
std::size_t sources(const Instruction& i) {
  std::size_t found = 0;
  for (std::size_t n = 1; n < i.operands.size(); ++n) {
    const CodeOperand& o = i.operands[n];
    const bool number = o.kind == OperandKind::reg || o.kind == OperandKind::uniform ||
                        o.kind == OperandKind::integer || o.kind == OperandKind::constant;
    found += number && !is_zero(o) ? 1 : 0;
  }
  return found;
}

// Two operations of PTX in one: a sum of three, a shift or a product with a sum.
bool does_two(const Instruction& i) {
  if (i.opcode == "IADD3" || i.opcode == "UIADD3") return !i.has(mod("X")) && sources(i) >= 3;
  if (i.opcode == "IMAD" || i.opcode == "UIMAD") return !i.has(mod("IADD")) && sources(i) >= 3;
  if (i.opcode == "LEA" || i.opcode == "ULEA") return !i.has(mod("X")) && sources(i) >= 3;
  return (i.opcode == "LOP3" || i.opcode == "ULOP3") && sources(i) >= 4; // its table is one of them
}

bool has_parameter(const Instruction& i) {
  return std::any_of(i.operands.begin(), i.operands.end(),
                     [](const CodeOperand& o) { return o.kind == OperandKind::constant && o.bank == 0; });
}

bool has_offset(const Instruction& i) {
  return std::any_of(i.operands.begin(), i.operands.end(),
                     [](const CodeOperand& o) { return o.kind == OperandKind::address && o.value != 0; });
}

bool is_wide(std::string_view opcode) {
  return opcode.find(".v2") != opcode.npos || opcode.find(".v4") != opcode.npos ||
         opcode.find(".64") != opcode.npos || opcode.find(".128") != opcode.npos;
}

// The parts of a reason: those of which there are some.
class Parts {
public:
  void add(std::size_t count, std::string_view what) {
    if (count > 0) parts_.push_back(fmt::format("{} {}", count, what));
  }
  std::string text() const { return fmt::format("{}", fmt::join(parts_, ", ")); }

private:
  std::vector<std::string> parts_;
};

} // namespace

std::string CodeReasons::of(Group group) const {
  Parts parts;
  const auto in_ptx = [&](auto test) { return count_if(of_ptx_, test); };
  const auto in_code = [&](auto test) { return count_if(code_.instructions, test); };
  const auto starts = [&](std::string_view word) {
    return in_ptx(
        [&](const CountedInstruction& i) { return i.opcode.starts_with(word) && i.group == group; });
  };
  const auto named = [&](std::string_view opcode) {
    return in_code([&](const Instruction& i) { return i.opcode == opcode; });
  };
  switch (group) {
  case Group::parameters:
    parts.add(in_code([](const Instruction& i) {
                return i.opcode != "LDC" && i.opcode != "ULDC" && has_parameter(i);
              }),
              "read as operands c[0x0][..]");
    parts.add(in_code([base = code_.parameter_base.value_or(0)](const Instruction& i) {
                const bool loads = i.opcode == "LDC" || i.opcode == "ULDC";
                return loads && !i.operands.empty() && i.operands.back().kind == OperandKind::constant &&
                       i.operands.back().base == zero_register &&
                       i.operands.back().value < static_cast<std::int64_t>(base);
              }),
              "loads of the launch's shape, stack and descriptors");
    break;
  case Group::moves:
    parts.add(starts("cvta"), "cvta that change no bit");
    parts.add(in_code([](const Instruction& i) { return i.opcode == "IMAD" && i.has(mod("MOV")); }),
              "IMAD.MOV on the multiplier");
    break;
  case Group::integers: {
    const std::size_t ptx_offsets = ptx_ == nullptr ? 0 : count_if(ptx_->instructions, [](const auto& i) {
      return std::any_of(i.operands.begin(), i.operands.end(),
                         [](std::string_view o) { return o.front() == '[' && o.find('+') != o.npos; });
    });
    const std::size_t offsets = in_code([](const Instruction& i) { return has_offset(i); });
    if (ptx_ != nullptr && offsets > ptx_offsets)
      parts.add(offsets - ptx_offsets, "more offsets within addresses [R+0x10]");
    parts.add(in_code(does_two), "do two operations (IADD3, IMAD, LEA, LOP3)");
    parts.add(in_code([](const Instruction& i) { return i.has(mod("X")); }), "upper halves of 64 bits");
    parts.add(starts("rem") + starts("div"), "div and rem written out");
    break;
  }
  case Group::floats: {
    const std::size_t products = starts("mul"), left = named("FMUL") + named("DMUL") + named("HMUL2");
    if (ptx_ != nullptr && products > left) parts.add(products - left, "products fused with sums (FFMA)");
    parts.add(starts("neg") + starts("abs"), "neg and abs within operands");
    parts.add(in_ptx([](const CountedInstruction& i) {
                return i.group == Group::functions &&
                       (i.opcode.starts_with("sqrt") || i.opcode.starts_with("div"));
              }),
              "square roots and divisions written out");
    break;
  }
  case Group::functions:
    parts.add(named("MUFU"), "approximations (MUFU), refined by multiply-adds");
    break;
  case Group::compares:
    parts.add(starts("or.pred") + starts("and.pred") + starts("not.pred"), "of predicates, within ISETP");
    break;
  case Group::global:
  case Group::shared: {
    const auto wide = [&](const std::vector<CountedInstruction>& all) {
      return count_if(all,
                      [&](const CountedInstruction& i) { return i.group == group && is_wide(i.opcode); });
    };
    if (const std::size_t merged = wide(of_sass_), before = wide(of_ptx_); ptx_ != nullptr && merged > before)
      parts.add(merged - before, "more of 64 or 128 bits");
    break;
  }
  case Group::branches:
    parts.add(
        count_if(of_sass_,
                 [](const CountedInstruction& i) { return i.conditional && i.group != Group::branches; }),
        "other instructions predicated");
    parts.add(in_code([](const Instruction& i) { return i.opcode == "EXIT" || i.opcode == "RET"; }),
              "ends of the function");
    break;
  case Group::exchange:
    parts.add(in_code([](const Instruction& i) { return i.opcode == "BRA" && i.has(mod("DIV")); }),
              "times again behind the end, for lanes that have diverged (BRA.DIV)");
    break;
  case Group::barriers:
    parts.add(starts("bar.warp"), "bar.warp.sync, of which a NOP is left where no lane has gone astray");
    break;
  case Group::convergence:
    parts.add(named("BSSY") + named("BSYNC"), "BSSY and BSYNC, where lanes meet again");
    parts.add(named("NOP"), "NOP");
    break;
  default:
    break;
  }
  return parts.text();
}

} // namespace perfmodel
