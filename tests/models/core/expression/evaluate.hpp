// The value of an expression in one lane, by walking its tree as C would: what programs are held against.
#pragma once

#include "models/core/bindings.hpp"
#include "models/core/expression/expression.hpp"
#include "models/core/expression/syntax.hpp"

#include <cstdint>

namespace perfmodel {

struct NaiveFault {
  std::size_t column;
};

// Throws NaiveFault where the value does not exist. The names are those of `values`.
inline std::int64_t naive_value(const Node& node, const Bindings& values) {
  const auto child = [&](std::size_t i) { return naive_value(node.children[i], values); };
  const auto u = [](std::int64_t a) { return static_cast<std::uint64_t>(a); };
  const auto s = [](std::uint64_t a) { return static_cast<std::int64_t>(a); };
  switch (node.op) {
  case Op::number:
    return node.value;
  case Op::name:
    return *values.find(node.name);
  case Op::negate:
    return s(0 - u(child(0)));
  case Op::complement:
    return ~child(0);
  case Op::logical_not:
    return child(0) == 0;
  case Op::logical_and:
    return child(0) != 0 && child(1) != 0;
  case Op::logical_or:
    return child(0) != 0 || child(1) != 0;
  case Op::conditional:
    return child(0) != 0 ? child(1) : child(2);
  default:
    break;
  }
  const std::int64_t a = child(0), b = child(1);
  switch (node.op) {
  case Op::multiply:
    return s(u(a) * u(b));
  case Op::add:
    return s(u(a) + u(b));
  case Op::subtract:
    return s(u(a) - u(b));
  case Op::divide:
    if (b == 0) throw NaiveFault{node.column};
    return b == -1 ? s(0 - u(a)) : a / b;
  case Op::remainder:
    if (b == 0) throw NaiveFault{node.column};
    return b == -1 ? 0 : a % b;
  case Op::shift_left:
    if (b < 0 || b > 63) throw NaiveFault{node.column};
    return s(u(a) << b);
  case Op::shift_right:
    if (b < 0 || b > 63) throw NaiveFault{node.column};
    return a >> b;
  case Op::less:
    return a < b;
  case Op::less_equal:
    return a <= b;
  case Op::greater:
    return a > b;
  case Op::greater_equal:
    return a >= b;
  case Op::equal:
    return a == b;
  case Op::not_equal:
    return a != b;
  case Op::bit_and:
    return a & b;
  case Op::bit_xor:
    return a ^ b;
  default:
    return a | b;
  }
}

} // namespace perfmodel
