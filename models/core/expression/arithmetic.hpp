// What the operators mean on two numbers: C's meaning, but two's complement wraps instead of being undefined.
#pragma once

#include "syntax.hpp"

#include <cstdint>

namespace perfmodel::detail {

constexpr std::uint64_t bits(std::int64_t a) { return static_cast<std::uint64_t>(a); }
constexpr std::int64_t number(std::uint64_t a) { return static_cast<std::int64_t>(a); }

// The operators that have no answer for some right operands.
constexpr bool may_fault(Op op) {
  return op == Op::divide || op == Op::remainder || op == Op::shift_left || op == Op::shift_right;
}
constexpr bool faults(Op op, std::int64_t b) {
  if (op == Op::divide || op == Op::remainder) return b == 0;
  return may_fault(op) && bits(b) > 63;
}

// Where it faults the answer is some number: the caller has looked before, or does not use it.
template <Op op> constexpr std::int64_t apply(std::int64_t a, std::int64_t b) {
  if constexpr (op == Op::add) return number(bits(a) + bits(b));
  if constexpr (op == Op::subtract) return number(bits(a) - bits(b));
  if constexpr (op == Op::multiply) return number(bits(a) * bits(b));
  // INT64_MIN / -1 does not fit and traps on x86: it wraps to itself.
  if constexpr (op == Op::divide) return b == -1 ? number(0 - bits(a)) : b == 0 ? 0 : a / b;
  if constexpr (op == Op::remainder) return b == -1 || b == 0 ? 0 : a % b;
  if constexpr (op == Op::shift_left) return number(bits(a) << (bits(b) & 63));
  if constexpr (op == Op::shift_right) return a >> (bits(b) & 63);
  if constexpr (op == Op::less) return a < b;
  if constexpr (op == Op::less_equal) return a <= b;
  if constexpr (op == Op::greater) return a > b;
  if constexpr (op == Op::greater_equal) return a >= b;
  if constexpr (op == Op::equal) return a == b;
  if constexpr (op == Op::not_equal) return a != b;
  if constexpr (op == Op::bit_and) return a & b;
  if constexpr (op == Op::bit_xor) return a ^ b;
  if constexpr (op == Op::bit_or) return a | b;
}

// use.template operator()<op>() for an operator that `apply` knows.
template <class Use> auto with_op(Op op, Use use) {
  switch (op) {
  case Op::add:
    return use.template operator()<Op::add>();
  case Op::subtract:
    return use.template operator()<Op::subtract>();
  case Op::multiply:
    return use.template operator()<Op::multiply>();
  case Op::divide:
    return use.template operator()<Op::divide>();
  case Op::remainder:
    return use.template operator()<Op::remainder>();
  case Op::shift_left:
    return use.template operator()<Op::shift_left>();
  case Op::shift_right:
    return use.template operator()<Op::shift_right>();
  case Op::less:
    return use.template operator()<Op::less>();
  case Op::less_equal:
    return use.template operator()<Op::less_equal>();
  case Op::greater:
    return use.template operator()<Op::greater>();
  case Op::greater_equal:
    return use.template operator()<Op::greater_equal>();
  case Op::equal:
    return use.template operator()<Op::equal>();
  case Op::bit_and:
    return use.template operator()<Op::bit_and>();
  case Op::bit_xor:
    return use.template operator()<Op::bit_xor>();
  case Op::bit_or:
    return use.template operator()<Op::bit_or>();
  default:
    return use.template operator()<Op::not_equal>();
  }
}

} // namespace perfmodel::detail
