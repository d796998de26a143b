#include "program.hpp"

#include "arithmetic.hpp"
#include "lanes.hpp"
#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace perfmodel {

namespace {

using detail::apply;
using detail::may_fault;
using Operand = Program::Operand;
using Instruction = Program::Instruction;

Operand constant(std::int64_t value) { return {Operand::constant, 0, value}; }
bool is_constant(const Operand& a) { return a.kind == Operand::constant; }

bool contains_fault(const Node& node) {
  return may_fault(node.op) || std::any_of(node.children.begin(), node.children.end(), contains_fault);
}

// Whether its value is 0 or 1 already.
bool is_truth(const Node& node) {
  return node.op == Op::logical_not || node.op == Op::logical_and || node.op == Op::logical_or ||
         (node.op >= Op::less && node.op <= Op::not_equal);
}

struct Compiler {
  std::span<const std::string_view> names;
  const Bindings& let;
  std::vector<bool> uses;
  std::vector<Instruction> instructions = {};
  std::vector<std::size_t> free_slots = {};
  std::size_t slots = 0;

  // Names behind a constant condition are never read, but still have to be names.
  void check_names(const Node& node) const {
    if (node.op == Op::name && let.find(node.name) == nullptr &&
        std::find(names.begin(), names.end(), node.name) == names.end()) {
      std::vector<std::string> known(names.begin(), names.end());
      for (const auto& [name, value] : let.values) known.push_back(name);
      const std::string near = suggestion(node.name.substr(0, 40), known);
      throw InputError(fmt::format(
          "column {}: unknown name {}{}", node.column, quoted(node.name),
          near.empty() ? fmt::format("; --let {}=4 gives it a value", node.name.substr(0, 40)) : near));
    }
    for (const Node& child : node.children) check_names(child);
  }

  void release(const Operand& a) {
    if (a.kind == Operand::slot) free_slots.push_back(a.index);
  }
  std::size_t allocate() {
    if (free_slots.empty()) return slots++;
    const std::size_t slot = free_slots.back();
    free_slots.pop_back();
    return slot;
  }

  // `when`: the lanes that may fault (binary), or that take `a` (conditional). Operands are left to the
  // caller.
  Operand emit(Op op, Operand a, Operand b, Operand when, std::size_t column) {
    if (op != Op::conditional && is_constant(a) && is_constant(b) && !detail::faults(op, b.value))
      return constant(detail::with_op(op, [&]<Op o>() { return apply<o>(a.value, b.value); }));
    const std::size_t out = allocate();
    instructions.push_back({op, a, b, when, out, column});
    return {Operand::slot, out, 0};
  }
  // The same, and the operands are not needed any more. They are released late: in place, a loop would read
  // and write one array, which compilers vectorise no more.
  Operand consume(Op op, Operand a, Operand b, Operand when, std::size_t column) {
    const Operand result = emit(op, a, b, when, column);
    release(a);
    release(b);
    return result;
  }

  // 0 or 1 for each lane.
  Operand truth(const Node& node, Operand mask) {
    const Operand value = compile(node, mask);
    return is_truth(node) ? value : consume(Op::not_equal, value, constant(0), mask, node.column);
  }

  // `node` in the lanes of `mask` where `condition` is `wanted`; the rest does not fault.
  template <class Compile>
  Operand guarded(const Node& node, Operand condition, std::int64_t wanted, Operand mask, Compile into) {
    if (!contains_fault(node)) return into(mask);
    Operand there = condition;
    if (wanted == 0) there = emit(Op::bit_xor, condition, constant(1), mask, node.column);
    const Operand both = emit(Op::bit_and, mask, there, mask, node.column);
    const Operand value = into(both);
    release(both);
    if (wanted == 0) release(there);
    return value;
  }

  Operand logical(const Node& node, Operand mask) {
    const bool conjunction = node.op == Op::logical_and;
    const Operand left = truth(node.children[0], mask);
    if (is_constant(left) && (left.value != 0) != conjunction) return left;
    if (is_constant(left)) return truth(node.children[1], mask);
    const Operand right = guarded(node.children[1], left, conjunction, mask,
                                  [&](Operand m) { return truth(node.children[1], m); });
    return consume(conjunction ? Op::bit_and : Op::bit_or, left, right, mask, node.column);
  }

  Operand conditional(const Node& node, Operand mask) {
    const Operand condition = truth(node.children[0], mask);
    if (is_constant(condition)) return compile(node.children[condition.value != 0 ? 1 : 2], mask);
    const Operand yes = guarded(node.children[1], condition, 1, mask,
                                [&](Operand m) { return compile(node.children[1], m); });
    const Operand no = guarded(node.children[2], condition, 0, mask,
                               [&](Operand m) { return compile(node.children[2], m); });
    const Operand result = consume(Op::conditional, yes, no, condition, node.column);
    release(condition);
    return result;
  }

  Operand name(const Node& node) {
    const auto found = std::find(names.begin(), names.end(), node.name);
    if (found == names.end()) return constant(*let.find(node.name));
    const auto index = static_cast<std::size_t>(found - names.begin());
    uses[index] = true;
    return {Operand::variable, index, 0};
  }

  Operand compile(const Node& node, Operand mask) {
    const auto operand = [&](std::size_t i) { return compile(node.children[i], mask); };
    switch (node.op) {
    case Op::number:
      return constant(node.value);
    case Op::name:
      return name(node);
    case Op::negate:
      return consume(Op::subtract, constant(0), operand(0), mask, node.column);
    case Op::complement:
      return consume(Op::bit_xor, operand(0), constant(-1), mask, node.column);
    case Op::logical_not:
      return consume(Op::equal, operand(0), constant(0), mask, node.column);
    case Op::logical_and:
    case Op::logical_or:
      return logical(node, mask);
    case Op::conditional:
      return conditional(node, mask);
    default: {
      const Operand a = operand(0), b = operand(1); // left to right, so that the first fault is C's
      return consume(node.op, a, b, mask, node.column);
    }
    }
  }
};

} // namespace

Program::Program(const Expression& expression, std::span<const std::string_view> names, const Bindings& let) {
  Compiler compiler{.names = names, .let = let, .uses = std::vector<bool>(names.size(), false)};
  compiler.check_names(expression.root());
  result_ = compiler.compile(expression.root(), {Operand::mask, 0, 0});
  uses_ = std::move(compiler.uses);
  instructions_ = std::move(compiler.instructions);
  slots_ = compiler.slots;
}

std::optional<Fault> Program::evaluate(std::span<const std::int64_t* const> variables,
                                       const std::int64_t* mask, std::span<std::int64_t> out) {
  if (out.empty()) return std::nullopt;
  scratch_.resize(std::max(scratch_.size(), slots_ * out.size()));
  detail::Lanes lanes{variables, mask, scratch_.data(), out.size()};
  for (const Instruction& instruction : instructions_)
    if (auto fault = lanes.execute(instruction)) return fault;
  lanes.copy(result_, out);
  return std::nullopt;
}

void refuse_shadows(std::span<const std::string_view> names, const Bindings& let) {
  for (const auto& [name, value] : let.values)
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw InputError(fmt::format("'{}' is a variable of every expression: choose another name", name));
}

} // namespace perfmodel
