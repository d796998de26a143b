#include "lanes.hpp"

#include "arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace perfmodel::detail {

namespace {

using Operand = Program::Operand;
using Instruction = Program::Instruction;

// Where there is no array the operand is this one number: a constant, or the mask that holds everywhere.
std::int64_t single(const Operand& a) { return a.kind == Operand::mask ? 1 : a.value; }

// f(i) into out[i], for every lane.
template <class F> void each(std::int64_t* out, std::size_t count, F f) {
  assert(out != nullptr);
  for (std::size_t i = 0; i < count; ++i) out[i] = f(i);
}

// Division by 2^k without the divider: dividends below zero are moved up by 2^k - 1, since C truncates
// towards zero.
template <Op op>
void by_power_of_two(const std::int64_t* a, std::int64_t b, std::int64_t* out, std::size_t n) {
  const std::int64_t low = b - 1;
  const int shift = std::countr_zero(bits(b));
  each(out, n, [=](std::size_t i) {
    const std::int64_t moved = a[i] + ((a[i] >> 63) & low);
    if constexpr (op == Op::divide) return moved >> shift;
    return a[i] - (moved & ~low);
  });
}

template <Op op>
void binary(const std::int64_t* a, std::int64_t a1, const std::int64_t* b, std::int64_t b1, std::int64_t* out,
            std::size_t n) {
  constexpr bool divides = op == Op::divide || op == Op::remainder;
  if (a != nullptr && b != nullptr)
    each(out, n, [=](std::size_t i) { return apply<op>(a[i], b[i]); });
  else if (b != nullptr)
    each(out, n, [=](std::size_t i) { return apply<op>(a1, b[i]); });
  else if (a == nullptr)
    std::fill_n(out, n, apply<op>(a1, b1));
  else if (divides && b1 > 0 && std::has_single_bit(bits(b1)))
    by_power_of_two<op>(a, b1, out, n);
  else if (divides && b1 > 0) // no test of the divisor in the loop
    each(out, n, [=](std::size_t i) { return op == Op::divide ? a[i] / b1 : a[i] % b1; });
  else
    each(out, n, [=](std::size_t i) { return apply<op>(a[i], b1); });
}

} // namespace

const std::int64_t* Lanes::array(const Operand& a) const {
  switch (a.kind) {
  case Operand::variable:
    return variables[a.index];
  case Operand::slot:
    return slots + a.index * count;
  case Operand::mask:
    return mask;
  default:
    return nullptr;
  }
}

std::optional<Fault> Lanes::find_fault(const Instruction& in) const {
  const std::int64_t* const b = array(in.b);
  if (b == nullptr && !faults(in.op, single(in.b))) return std::nullopt;
  const std::int64_t* const when = array(in.when);
  const bool divides = in.op == Op::divide || in.op == Op::remainder;
  for (std::size_t i = 0; i < count; ++i)
    if (faults(in.op, b ? b[i] : single(in.b)) && (when ? when[i] : single(in.when)) != 0)
      return Fault{in.column, divides ? "division by zero" : "shift by less than 0 or more than 63 bits", i};
  return std::nullopt;
}

void Lanes::choose(const Instruction& in) const {
  const std::int64_t *const a = array(in.a), *const b = array(in.b), *const when = array(in.when);
  const std::int64_t a1 = single(in.a), b1 = single(in.b);
  std::int64_t* const out = slots + in.out * count;
  assert(when != nullptr); // one condition for all lanes was decided by the compiler
  // when is 0 or 1, so its negative is all bits or none.
  const auto blend = [when](std::int64_t yes, std::int64_t no, std::size_t i) {
    return no ^ ((yes ^ no) & -when[i]);
  };
  if (a && b)
    each(out, count, [=](std::size_t i) { return blend(a[i], b[i], i); });
  else if (a)
    each(out, count, [=](std::size_t i) { return blend(a[i], b1, i); });
  else if (b)
    each(out, count, [=](std::size_t i) { return blend(a1, b[i], i); });
  else
    each(out, count, [=](std::size_t i) { return blend(a1, b1, i); });
}

std::optional<Fault> Lanes::execute(const Instruction& in) const {
  if (in.op == Op::conditional) {
    choose(in);
    return std::nullopt;
  }
  if (may_fault(in.op))
    if (auto fault = find_fault(in)) return fault;
  with_op(in.op, [&]<Op op>() {
    binary<op>(array(in.a), single(in.a), array(in.b), single(in.b), slots + in.out * count, count);
  });
  return std::nullopt;
}

void Lanes::copy(const Operand& from, std::span<std::int64_t> to) const {
  if (const std::int64_t* const values = array(from))
    std::copy_n(values, to.size(), to.begin());
  else
    std::fill(to.begin(), to.end(), single(from));
}

} // namespace perfmodel::detail
