// Bits, predicates, selection and moves.
#include "executors.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace perfmodel {

namespace {

using Words = std::array<std::uint32_t, 32>;

// Of three inputs, a bit of each of which may be one, and may be zero.
struct MayBe {
  Words one{}, zero{};
};

MayBe as_it_is(const LaneWords& in) {
  MayBe made{.one = in.at};
  for (std::size_t lane = 0; lane < 32; ++lane) made.zero[lane] = ~in.at[lane];
  return made;
}
MayBe as_known(const LaneWords& in) {
  MayBe made = as_it_is(in);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t unknown = (in.known >> lane & 1) - 1; // all bits, or none
    made.one[lane] |= unknown;
    made.zero[lane] |= unknown;
  }
  return made;
}

// A truth table of three inputs, bit (a b c): where one of its rows may hold.
Words looked_up(std::uint32_t table, const MayBe& a, const MayBe& b, const MayBe& c) {
  Words made{};
  for (unsigned row = 0; row < 8; ++row) {
    if ((table >> row & 1) == 0) continue;
    const Words &x = (row & 4) != 0 ? a.one : a.zero, &y = (row & 2) != 0 ? b.one : b.zero,
                &z = (row & 1) != 0 ? c.one : c.zero;
    for (std::size_t lane = 0; lane < 32; ++lane) made[lane] |= x[lane] & y[lane] & z[lane];
  }
  return made;
}

// What does not depend on an unknown bit is known; the rest is of what stands in for data.
LaneWords looked_up(std::uint32_t table, const LaneWords& a, const LaneWords& b, const LaneWords& c) {
  LaneWords made{.at = looked_up(table, as_it_is(a), as_it_is(b), as_it_is(c)), .known = all_lanes};
  const std::uint32_t all_known = a.known & b.known & c.known;
  if (all_known == all_lanes) return made;
  const MayBe x = as_known(a), y = as_known(b), z = as_known(c);
  const Words one = looked_up(table, x, y, z), zero = looked_up(~table, x, y, z);
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((one[lane] & zero[lane]) == 0)
      made.at[lane] = one[lane];
    else
      made.known &= ~(1U << lane);
  return made;
}

void lop3(LaneStep& s) {
  const bool to_predicate = s.is_predicate(0);
  const std::size_t target = to_predicate ? 1 : 0, first = target + 1;
  const auto table = static_cast<std::uint32_t>(s.i.operands[std::min(first + 3, s.operands() - 1)].value);
  const LaneWords made = looked_up(table, s.integer(first), s.integer(first + 1), s.integer(first + 2));
  s.write(target, made);
  if (to_predicate)
    s.write_flag(0, flags_of(made, LaneWords::of(0), [](std::uint32_t a, std::uint32_t b) {
                      return a != b;
                    }) | s.flag(first + 4));
}

// LOP.AND and its like, before cc 5.0.
void lop(LaneStep& s) {
  s.write(0, each(s.integer(1), s.integer(2), [&](std::uint32_t a, std::uint32_t b) {
            return s.i.has(mod("AND")) ? a & b : s.i.has(mod("OR")) ? a | b : s.i.has(mod("XOR")) ? a ^ b : b;
          }));
}

// LaneWords for which all rows of the table that may be theirs say the same.
Flags looked_up(std::uint32_t table, const Flags& a, const Flags& b, const Flags& c) {
  std::uint32_t may_be_true = 0, may_be_false = 0;
  for (unsigned row = 0; row < 8; ++row) {
    const auto may_be = [&](unsigned bit, const Flags& flag) {
      return (row & bit) != 0 ? flag.maybe() : flag.inverted().maybe();
    };
    const std::uint32_t lanes = may_be(4, a) & may_be(2, b) & may_be(1, c);
    ((table >> row & 1) != 0 ? may_be_true : may_be_false) |= lanes;
  }
  return {.value = may_be_true & ~may_be_false, .known = may_be_true ^ may_be_false};
}

// Two results, three inputs, two tables.
void plop3(LaneStep& s) {
  const Flags a = s.flag(2), b = s.flag(3), c = s.flag(4);
  const auto table = [&](std::size_t n) {
    return n < s.operands() ? static_cast<std::uint32_t>(s.i.operands[n].value) : 0U;
  };
  const Flags first = looked_up(table(5), a, b, c), second = looked_up(table(6), a, b, c);
  s.write_flag(0, first);
  s.write_flag(1, second);
}

// The comparison, combined with a predicate; its opposite goes to the second destination.
void combine(LaneStep& s, const Flags& compared, std::size_t with) {
  const auto joined = [&](const Flags& flag) {
    const Flags other = s.flag(with);
    return s.i.has(mod("OR")) ? flag | other : s.i.has(mod("XOR")) ? flag ^ other : flag & other;
  };
  const Flags first = joined(compared), second = joined(compared.inverted());
  s.write_flag(0, first);
  if (s.is_predicate(1)) s.write_flag(1, second);
}

// Whether a comparison holds where a is less, equal, more.
struct Holds {
  bool less = false, equal = false, more = false;
};
Holds holds_of(const Instruction& i) {
  if (i.has(mod("LT"))) return {.less = true};
  if (i.has(mod("LE"))) return {.less = true, .equal = true};
  if (i.has(mod("GT"))) return {.more = true};
  if (i.has(mod("GE"))) return {.equal = true, .more = true};
  if (i.has(mod("EQ"))) return {.equal = true};
  if (i.has(mod("NE"))) return {.less = true, .more = true};
  const bool always = i.has(mod("T"));
  return {always, always, always};
}

void isetp(LaneStep& s) {
  const LaneWords a = s.integer(2), b = s.integer(3);
  const bool is_unsigned = s.i.has(mod("U32")), extended = s.i.has(mod("EX"));
  const Flags low = extended ? s.flag(s.operands() - 1) : Flags::of(0);
  const Holds holds = holds_of(s.i);
  Flags made{.known = a.known & b.known};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::int64_t x = is_unsigned ? std::int64_t{a.at[lane]} : static_cast<std::int32_t>(a.at[lane]),
                       y = is_unsigned ? std::int64_t{b.at[lane]} : static_cast<std::int32_t>(b.at[lane]);
    bool yes = x < y ? holds.less : x > y ? holds.more : holds.equal;
    if (extended && x == y) { // the lower halves decide
      if ((low.known >> lane & 1) == 0) made.known &= ~(1U << lane);
      yes = (low.value >> lane & 1) != 0;
    }
    made.value |= std::uint32_t{yes} << lane;
  }
  made.value &= made.known;
  combine(s, made, 4);
}

void select(LaneStep& s) {
  const Flags choice = s.flag(3);
  const bool real = s.i.is("FSEL");
  const LaneWords a = real ? s.real(1) : s.integer(1), b = real ? s.real(2) : s.integer(2);
  LaneWords made;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const bool known = (choice.known >> lane & 1) != 0, first = (choice.value >> lane & 1) != 0;
    const bool both = (a.known & b.known) >> lane & 1;
    made.at[lane] = first || !known ? a.at[lane] : b.at[lane];
    const bool settled =
        known ? ((first ? a.known : b.known) >> lane & 1) != 0 : both && a.at[lane] == b.at[lane];
    made.known |= std::uint32_t{settled} << lane;
  }
  s.write(0, made);
}

void mov(LaneStep& s) {
  if (s.is(0, OperandKind::reg) || s.is(0, OperandKind::uniform)) s.write(0, s.integer(1));
  if (s.i.has(mod("64"))) s.write_wide(0, s.wide(1));
}

// A special register; CS2R fills two, but with .32.
void s2r(LaneStep& s) {
  s.write(0, s.raw(1));
  if (s.i.is("CS2R") && !s.i.has(mod("32")))
    s.write_next(0, 1, s.i.operands[1].name == "SRZ" ? LaneWords::of(0) : LaneWords{});
}

// A register's bits from all predicates, and back; the mask says which.
void p2r(LaneStep& s) {
  LaneWords made{.known = all_lanes};
  const LaneWords base = s.integer(2), mask = s.integer(3);
  made = each(base, mask, [](std::uint32_t b, std::uint32_t m) { return b & ~m; });
  for (unsigned p = 0; p < 7; ++p)
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if ((mask.at[lane] >> p & 1) == 0) continue;
      const Flags& flag = s.warp.predicates[p];
      if ((flag.known >> lane & 1) == 0) made.known &= ~(1U << lane);
      made.at[lane] |= (flag.value >> lane & 1) << p;
    }
  s.write(0, made);
}
void r2p(LaneStep& s) {
  const LaneWords value = s.integer(1), mask = s.integer(2);
  for (std::uint8_t p = 0; p < 7; ++p) {
    Flags made = s.warp.predicates[p];
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if ((s.mask >> lane & 1) == 0 || (mask.at[lane] >> p & 1) == 0) continue;
      const std::uint32_t bit = 1U << lane, known = value.known & ~s.maybe & bit;
      made.known = (made.known & ~bit) | known;
      made.value = (made.value & ~bit) | ((value.at[lane] >> p & 1) << lane & known);
    }
    s.warp.predicates[p] = made;
  }
}

constexpr NamedExecutor logic_executors[] = {
    {"LOP3", lop3},   {"ULOP3", lop3},   {"LOP", lop},    {"PLOP3", plop3}, {"UPLOP3", plop3},
    {"ISETP", isetp}, {"UISETP", isetp}, {"SEL", select}, {"USEL", select}, {"FSEL", select},
    {"MOV", mov},     {"UMOV", mov},     {"MOV32I", mov}, {"S2R", s2r},     {"S2UR", s2r},
    {"CS2R", s2r},    {"P2R", p2r},      {"R2P", r2p}};

} // namespace

Executor logic_executor(std::string_view opcode) { return among(logic_executors, opcode); }

} // namespace perfmodel
