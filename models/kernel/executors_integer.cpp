// Integer arithmetic. How carries, halves and signs go is from machine-code listings run against hardware
// counters; a negated operand of an addition with carry is its complement, and the one that is missing comes
// in by the carry.
#include "executors.hpp"
#include "integer_operands.hpp"

#include <algorithm>
#include <bit>

namespace perfmodel {

namespace {

// A sum's operand: in the form with carry in, -b is ~b.
LaneWords addend(const LaneStep& s, std::size_t n, bool extended) {
  if (!extended || n >= s.operands() || !s.i.operands[n].negated) return s.integer(n);
  return each(s.raw(n), [](std::uint32_t w) { return ~w; });
}

void iadd3(LaneStep& s) {
  const bool extended = s.i.has(mod("X"));
  const std::size_t first = first_source(s);
  LaneWords sum{.known = all_lanes};
  std::array<std::uint64_t, 32> total{};
  std::size_t n = first;
  for (; n < std::min(first + 3, s.operands()) && !s.is_predicate(n); ++n) {
    const bool minus = !extended && s.i.operands[n].negated && s.i.operands[n].kind != OperandKind::integer;
    const LaneWords part =
        minus ? each(s.raw(n), [](std::uint32_t w) { return ~w; }) : addend(s, n, extended);
    sum.known &= part.known;
    for (std::size_t lane = 0; lane < 32; ++lane)
      total[lane] += std::uint64_t{part.at[lane]} + (minus ? 1 : 0);
  }
  for (; extended && n < s.operands(); ++n) {
    const Flags carry = s.flag(n);
    sum.known &= carry.known;
    for (std::size_t lane = 0; lane < 32; ++lane) total[lane] += carry.value >> lane & 1;
  }
  for (std::size_t lane = 0; lane < 32; ++lane) sum.at[lane] = static_cast<std::uint32_t>(total[lane]);
  for (std::size_t p = 1; p < first; ++p) {
    Flags carry{.known = sum.known};
    for (std::size_t lane = 0; lane < 32; ++lane)
      carry.value |= std::uint32_t{total[lane] >> 32 >= p} << lane;
    carry.value &= carry.known;
    s.write_flag(p, carry);
  }
  s.write(0, sum);
}

// Lanes in which both are known, or one is a zero, whose product is known.
std::uint32_t product_known(const LaneWords& a, const LaneWords& b) {
  std::uint32_t known = a.known & b.known;
  for (std::size_t lane = 0; lane < 32 && known != all_lanes; ++lane) {
    const bool of_a = (a.known >> lane & 1) != 0 && a.at[lane] == 0,
               of_b = (b.known >> lane & 1) != 0 && b.at[lane] == 0;
    known |= std::uint32_t{of_a || of_b} << lane;
  }
  return known;
}

void imad(LaneStep& s) {
  const std::size_t first = first_source(s);
  const bool is_unsigned = s.i.has(mod("U32")), wide = s.i.has(mod("WIDE")), high = s.i.has(mod("HI"));
  const LaneWords a = s.integer(first), b = s.integer(first + 1);
  const std::uint32_t known = product_known(a, b);
  const bool carries = s.i.has(mod("X")) || first > 1;
  if (!wide && !high && !carries) {
    const LaneWords c = s.integer(first + 2);
    LaneWords made{.known = known & c.known};
    for (std::size_t lane = 0; lane < 32; ++lane) made.at[lane] = a.at[lane] * b.at[lane] + c.at[lane];
    return s.write(0, made);
  }
  const WideLanes c =
      wide || high ? s.wide(first + 2) : WideLanes::of(s.integer(first + 2), LaneWords::of(0));
  Flags carry_in = Flags::of(0);
  if (s.i.has(mod("X")) && s.is_predicate(first + 3)) carry_in = s.flag(first + 3);
  WideLanes made{.known = known & c.known & carry_in.known};
  Flags carry{.known = made.known};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t product =
        is_unsigned ? std::uint64_t{a.at[lane]} * b.at[lane]
                    : static_cast<std::uint64_t>(std::int64_t{sign(a.at[lane])} * sign(b.at[lane]));
    const std::uint64_t addend = c.at[lane] + (carry_in.value >> lane & 1);
    made.at[lane] = product + addend;
    carry.value |= std::uint32_t{made.at[lane] < addend} << lane;
  }
  carry.value &= carry.known;
  if (first > 1) s.write_flag(1, carry);
  if (wide) return s.write_wide(0, made);
  s.write(0, high ? made.high() : made.low());
}

void lea(LaneStep& s) {
  const std::size_t first = first_source(s);
  const bool high = s.i.has(mod("HI")), sign_extended = s.i.has(mod("SX32")), extended = s.i.has(mod("X"));
  const LaneWords a = s.integer(first), b = addend(s, first + 1, extended);
  std::size_t next = first + 2;
  LaneWords upper = each(a, [&](std::uint32_t w) { return sign_extended && sign(w) < 0 ? all_lanes : 0U; });
  if (high && !sign_extended) upper = s.integer(next++);
  const LaneWords shift = s.integer(next++);
  Flags carry_in = Flags::of(0);
  if (extended && s.is_predicate(next)) carry_in = s.flag(next);
  LaneWords made{.known =
                     a.known & b.known & shift.known & carry_in.known & (high ? upper.known : all_lanes)};
  Flags carry{.known = made.known};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t value = std::uint64_t{high ? upper.at[lane] : 0} << 32 | a.at[lane];
    const std::uint64_t shifted = value << (shift.at[lane] & 63);
    const std::uint64_t part = high ? shifted >> 32 : shifted & all_lanes;
    const std::uint64_t total = part + b.at[lane] + (carry_in.value >> lane & 1);
    made.at[lane] = static_cast<std::uint32_t>(total);
    carry.value |= std::uint32_t{total >> 32 != 0} << lane;
  }
  carry.value &= carry.known;
  if (first > 1) s.write_flag(1, carry);
  s.write(0, made);
}

void viadd(LaneStep& s) {
  s.write(0, each(s.integer(1), s.integer(2), [](std::uint32_t a, std::uint32_t b) { return a + b; }));
}

LaneWords extreme(const LaneWords& a, const LaneWords& b, const Flags& least, bool is_unsigned) {
  LaneWords made{.known = a.known & b.known & least.known};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const bool less = is_unsigned ? a.at[lane] < b.at[lane] : sign(a.at[lane]) < sign(b.at[lane]);
    const bool wants_least = (least.value >> lane & 1) != 0;
    made.at[lane] = less == wants_least ? a.at[lane] : b.at[lane];
  }
  return made;
}

// The same of each half of a word.
LaneWords extreme_halves(const LaneWords& a, const LaneWords& b, const Flags& least, bool is_unsigned) {
  const auto half = [](const LaneWords& of, int shift, bool sign_extended) {
    return each(of, [&](std::uint32_t w) {
      const auto bits = static_cast<std::uint16_t>(w >> shift);
      return sign_extended ? static_cast<std::uint32_t>(static_cast<std::int16_t>(bits))
                           : std::uint32_t{bits};
    });
  };
  const auto of_half = [&](int shift) {
    return extreme(half(a, shift, !is_unsigned), half(b, shift, !is_unsigned), least, is_unsigned);
  };
  return each(of_half(0), of_half(16),
              [](std::uint32_t low, std::uint32_t high) { return (low & 0xffff) | high << 16; });
}

// Of two or three, the smallest where the predicate behind them is true.
void imnmx(LaneStep& s) {
  const std::size_t first = first_source(s);
  const std::size_t last = s.operands() - 1; // the predicate; before it two words, or three
  LaneWords made = s.integer(first);
  for (std::size_t n = first + 1; n < last; ++n)
    made = s.i.has(mod("S16x2")) || s.i.has(mod("U16x2"))
               ? extreme_halves(made, s.integer(n), s.flag(last), s.i.has(mod("U16x2")))
               : extreme(made, s.integer(n), s.flag(last), s.i.has(mod("U32")));
  if (s.i.has(mod("RELU"))) made = each(made, [](std::uint32_t w) { return sign(w) < 0 ? 0U : w; });
  s.write(0, made);
}
void viaddmnmx(LaneStep& s) {
  const LaneWords sum =
      each(s.integer(1), s.integer(2), [](std::uint32_t a, std::uint32_t b) { return a + b; });
  s.write(0, extreme(sum, s.integer(3), s.flag(s.operands() - 1), s.i.has(mod("U32"))));
}

void iabs(LaneStep& s) {
  s.write(0, each(s.integer(1), [](std::uint32_t w) { return sign(w) < 0 ? 0U - w : w; }));
}

constexpr NamedExecutor integer_executors[] = {
    {"IADD3", iadd3}, {"UIADD3", iadd3}, {"IADD", iadd3},   {"UIADD", iadd3},   {"IMAD", imad},
    {"UIMAD", imad},  {"LEA", lea},      {"ULEA", lea},     {"VIADD", viadd},   {"UVIADD", viadd},
    {"IMNMX", imnmx}, {"VIMNMX", imnmx}, {"UIMNMX", imnmx}, {"VIMNMX3", imnmx}, {"VIADDMNMX", viaddmnmx},
    {"IABS", iabs},   {"UIABS", iabs}};

} // namespace

Executor integer_executor(std::string_view opcode) { return among(integer_executors, opcode); }

} // namespace perfmodel
