// Integer arithmetic. How carries, halves and signs go is from machine-code listings run against hardware
// counters; a negated operand of an addition with carry is its complement, and the one that is missing comes
// in by the carry.
#include "executors.hpp"

#include <algorithm>
#include <bit>

namespace perfmodel {

namespace {

std::int32_t sign(std::uint32_t word) { return static_cast<std::int32_t>(word); }

// Destinations in front: a register, then the predicates that take carries.
std::size_t first_source(const LaneStep& s) {
  std::size_t n = 1;
  while (s.is_predicate(n)) ++n;
  return n;
}

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

void imad(LaneStep& s) {
  const std::size_t first = first_source(s);
  const bool is_unsigned = s.i.has(mod("U32")), wide = s.i.has(mod("WIDE")), high = s.i.has(mod("HI"));
  const LaneWords a = s.integer(first), b = s.integer(first + 1);
  // A product with a known zero is known.
  LaneWords zero;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const bool of_a = (a.known >> lane & 1) != 0 && a.at[lane] == 0,
               of_b = (b.known >> lane & 1) != 0 && b.at[lane] == 0;
    zero.known |= std::uint32_t{of_a || of_b} << lane;
  }
  const WideLanes c =
      wide || high ? s.wide(first + 2) : WideLanes::of(s.integer(first + 2), LaneWords::of(0));
  Flags carry_in = Flags::of(0);
  if (s.i.has(mod("X")) && s.is_predicate(first + 3)) carry_in = s.flag(first + 3);
  WideLanes made{.known = ((a.known & b.known) | zero.known) & c.known & carry_in.known};
  Flags carry{.known = made.known};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t product =
        (zero.known >> lane & 1) != 0 ? 0
        : is_unsigned                 ? std::uint64_t{a.at[lane]} * b.at[lane]
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

void shf(LaneStep& s) {
  const bool left = s.i.has(mod("L")), high = s.i.has(mod("HI")),
             wide = s.i.has(mod("U64")) || s.i.has(mod("S64"));
  const bool is_signed = s.i.has(mod("S32")) || s.i.has(mod("S64")), wraps = s.i.has(mod("W"));
  const LaneWords low = s.integer(1), shift = s.integer(2), upper = s.integer(3);
  // A half that no bit of the result comes from need not be known.
  const bool low_alone = left && !high, upper_alone = !left && high;
  LaneWords made{.known = shift.known & (upper_alone ? all_lanes : low.known) &
                          (low_alone ? all_lanes : upper.known)};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t most = wide ? 64 : 32;
    const std::uint32_t by = wraps ? shift.at[lane] & (wide ? 63U : 31U) : std::min(shift.at[lane], most);
    const std::uint64_t value = std::uint64_t{upper.at[lane]} << 32 | low.at[lane];
    const bool all_out = by > 63;
    const std::uint64_t moved =
        is_signed && !left ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> std::min(by, 63U))
        : all_out          ? 0
        : left             ? value << by
                           : value >> by;
    made.at[lane] = static_cast<std::uint32_t>(high ? moved >> 32 : moved);
  }
  s.write(0, made);
}
void shl(LaneStep& s) {
  s.write(0, each(s.integer(1), s.integer(2),
                  [](std::uint32_t a, std::uint32_t b) { return b > 31 ? 0 : a << b; }));
}
void shr(LaneStep& s) {
  const bool is_unsigned = s.i.has(mod("U32"));
  s.write(0, each(s.integer(1), s.integer(2), [&](std::uint32_t a, std::uint32_t b) {
            if (is_unsigned) return b > 31 ? 0 : a >> b;
            return static_cast<std::uint32_t>(sign(a) >> std::min(b, 31U));
          }));
}

void popc(LaneStep& s) {
  s.write(0,
          each(s.integer(1), [](std::uint32_t w) { return static_cast<std::uint32_t>(std::popcount(w)); }));
}
// The place of the leading one, of a negative number the leading zero; with .SH counted from above.
void flo(LaneStep& s) {
  const bool is_unsigned = s.i.has(mod("U32")), from_above = s.i.has(mod("SH"));
  const std::size_t first = first_source(s);
  const LaneWords made = each(s.integer(first), [&](std::uint32_t w) {
    if (!is_unsigned && sign(w) < 0) w = ~w;
    if (w == 0) return all_lanes;
    const auto place = static_cast<std::uint32_t>(31 - std::countl_zero(w));
    return from_above ? 31 - place : place;
  });
  s.write(0, made);
  if (first > 1)
    s.write_flag(
        1, flags_of(made, LaneWords::of(all_lanes), [](std::uint32_t a, std::uint32_t b) { return a != b; }));
}
void brev(LaneStep& s) {
  s.write(0, each(s.integer(1), [](std::uint32_t w) {
            std::uint32_t made = 0;
            for (unsigned bit = 0; bit < 32; ++bit) made |= (w >> bit & 1) << (31 - bit);
            return made;
          }));
}
void sgxt(LaneStep& s) {
  const bool is_unsigned = s.i.has(mod("U32"));
  s.write(0, each(s.integer(1), s.integer(2), [&](std::uint32_t a, std::uint32_t bits) {
            if (bits == 0) return 0U;
            if (bits >= 32) return a;
            const std::uint32_t kept = a & ((1U << bits) - 1);
            return !is_unsigned && (kept >> (bits - 1) & 1) != 0 ? kept | ~((1U << bits) - 1) : kept;
          }));
}
void bmsk(LaneStep& s) {
  s.write(0, each(s.integer(1), s.integer(2), [](std::uint32_t at, std::uint32_t width) {
            if (at > 31) return 0U;
            const std::uint32_t ones = width > 31 ? all_lanes : (1U << width) - 1;
            return ones << at;
          }));
}
void prmt(LaneStep& s) {
  s.write(0, each(s.integer(1), s.integer(2), s.integer(3),
                  [](std::uint32_t low, std::uint32_t selector, std::uint32_t high) {
                    const std::uint64_t bytes = std::uint64_t{high} << 32 | low;
                    std::uint32_t made = 0;
                    for (unsigned n = 0; n < 4; ++n) {
                      const std::uint32_t choice = selector >> (4 * n) & 0xf;
                      std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (choice & 7))) & 0xff;
                      if ((choice & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0; // its sign
                      made |= byte << (8 * n);
                    }
                    return made;
                  }));
}

constexpr NamedExecutor integer_executors[] = {
    {"IADD3", iadd3}, {"UIADD3", iadd3}, {"IADD", iadd3},   {"UIADD", iadd3},   {"IMAD", imad},
    {"UIMAD", imad},  {"LEA", lea},      {"ULEA", lea},     {"VIADD", viadd},   {"UVIADD", viadd},
    {"IMNMX", imnmx}, {"VIMNMX", imnmx}, {"UIMNMX", imnmx}, {"VIMNMX3", imnmx}, {"VIADDMNMX", viaddmnmx},
    {"IABS", iabs},   {"UIABS", iabs},   {"SHF", shf},      {"USHF", shf},      {"SHL", shl},
    {"USHL", shl},    {"SHR", shr},      {"USHR", shr},     {"POPC", popc},     {"UPOPC", popc},
    {"FLO", flo},     {"UFLO", flo},     {"BREV", brev},    {"UBREV", brev},    {"SGXT", sgxt},
    {"USGXT", sgxt},  {"BMSK", bmsk},    {"UBMSK", bmsk},   {"PRMT", prmt},     {"UPRMT", prmt}};

} // namespace

Executor integer_executor(std::string_view opcode) { return among(integer_executors, opcode); }

} // namespace perfmodel
