// Floating point. Index code rests on it: a division by a variable is a reciprocal, an addition to its bits
// and a conversion. Rounded to nearest; flushing of subnormal numbers is left out.
#include "executors.hpp"
#include "real_bits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perfmodel {

namespace {

// With .SAT between 0 and 1, and 0 for what is no number.
std::uint32_t result(const Instruction& i, float value) {
  if (!i.has(mod("SAT"))) return word_of(value);
  return word_of(std::isnan(value) ? 0.0F : std::clamp(value, 0.0F, 1.0F) + 0.0F);
}

void fadd(LaneStep& s) {
  s.write(0, each(s.real(1), s.real(2),
                  [&](std::uint32_t a, std::uint32_t b) { return result(s.i, fp32(a) + fp32(b)); }));
}
// FMUL.D2 is half of the product, FMUL.M4 four times it.
float scale_of(const Instruction& i) {
  constexpr std::pair<std::size_t, float> scales[] = {{mod("D2"), 0.5F},   {mod("D4"), 0.25F},
                                                      {mod("D8"), 0.125F}, {mod("M2"), 2.0F},
                                                      {mod("M4"), 4.0F},   {mod("M8"), 8.0F}};
  for (const auto& [modifier, scale] : scales)
    if (i.has(modifier)) return scale;
  return 1;
}
void fmul(LaneStep& s) {
  const float scale = scale_of(s.i);
  s.write(0, each(s.real(1), s.real(2),
                  [&](std::uint32_t a, std::uint32_t b) { return result(s.i, fp32(a) * fp32(b) * scale); }));
}
void ffma(LaneStep& s) {
  s.write(0, each(s.real(1), s.real(2), s.real(3), [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            return result(s.i, std::fma(fp32(a), fp32(b), fp32(c)));
          }));
}
void fmnmx(LaneStep& s) {
  const LaneWords a = s.real(1), b = s.real(2);
  const Flags least = s.flag(3);
  LaneWords made{.known = a.known & b.known & least.known};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const float x = fp32(a.at[lane]), y = fp32(b.at[lane]);
    made.at[lane] = word_of((least.value >> lane & 1) != 0 ? std::fmin(x, y) : std::fmax(x, y));
  }
  s.write(0, made);
}

// Whether a comparison holds where a is less, equal, more, or one of them no number.
struct RealHolds {
  bool less = false, equal = false, more = false, unordered = false;
  template <class V> bool of(V a, V b) const {
    return a < b ? less : a > b ? more : a == b ? equal : unordered;
  }
};
RealHolds real_holds_of(const Instruction& i) {
  const auto either = [&](std::size_t one, std::size_t other) { return i.has(one) || i.has(other); };
  const bool ne = either(mod("NE"), mod("NEU")), le = either(mod("LE"), mod("LEU")),
             ge = either(mod("GE"), mod("GEU")), ordered = i.has(mod("NUM")), always = i.has(mod("T"));
  const bool or_unordered = i.has(mod("LTU")) || i.has(mod("LEU")) || i.has(mod("GTU")) ||
                            i.has(mod("GEU")) || i.has(mod("EQU")) || i.has(mod("NEU"));
  return {.less = either(mod("LT"), mod("LTU")) || le || ne || ordered || always,
          .equal = either(mod("EQ"), mod("EQU")) || le || ge || ordered || always,
          .more = either(mod("GT"), mod("GTU")) || ge || ne || ordered || always,
          .unordered = or_unordered || i.has(mod("NAN")) || always};
}

void write_compared(LaneStep& s, const Flags& made) {
  const Flags other = s.flag(4);
  const auto joined = [&](const Flags& flag) {
    return s.i.has(mod("OR")) ? flag | other : s.i.has(mod("XOR")) ? flag ^ other : flag & other;
  };
  const Flags first = joined(made), second = joined(made.inverted());
  s.write_flag(0, first);
  s.write_flag(1, second);
}
void fsetp(LaneStep& s) {
  const RealHolds holds = real_holds_of(s.i);
  write_compared(s, flags_of(s.real(2), s.real(3),
                             [&](std::uint32_t a, std::uint32_t b) { return holds.of(fp32(a), fp32(b)); }));
}
// DSETP.MAX, DSETP.MIN: whether the first is the larger, or smaller, one, or the only one that is a number;
// and whether neither is.
void larger_or_smaller(LaneStep& s, const WideLanes& a, const WideLanes& b) {
  Flags first{.known = a.known & b.known}, none{.known = a.known & b.known};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const double x = fp64(a.at[lane]), y = fp64(b.at[lane]);
    const bool is_first = std::isnan(y) ? !std::isnan(x) : s.i.has(mod("MAX")) ? x > y : x < y;
    first.value |= std::uint32_t{is_first} << lane;
    none.value |= std::uint32_t{std::isnan(x) && std::isnan(y)} << lane;
  }
  first.value &= first.known;
  none.value &= none.known;
  s.write_flag(0, first);
  s.write_flag(1, none);
}
void dsetp(LaneStep& s) {
  const WideLanes a = s.wide_real(2), b = s.wide_real(3);
  if (s.i.has(mod("MAX")) || s.i.has(mod("MIN"))) return larger_or_smaller(s, a, b);
  const RealHolds holds = real_holds_of(s.i);
  Flags made{.known = a.known & b.known};
  for (std::size_t lane = 0; lane < 32; ++lane)
    made.value |= std::uint32_t{holds.of(fp64(a.at[lane]), fp64(b.at[lane]))} << lane;
  made.value &= made.known;
  write_compared(s, made);
}
// Whether a division needs its slow path: of ordinary operands it does not.
void fchk(LaneStep& s) { s.write_flag(0, Flags::of(0)); }

template <class F> void wide(LaneStep& s, std::size_t sources, F f) {
  WideLanes made{.known = all_lanes};
  const WideLanes a = s.wide_real(1), b = s.wide_real(2), c = sources > 2 ? s.wide_real(3) : b;
  made.known = a.known & b.known & c.known;
  for (std::size_t lane = 0; lane < 32; ++lane)
    made.at[lane] = word_of(f(fp64(a.at[lane]), fp64(b.at[lane]), fp64(c.at[lane])));
  s.write_wide(0, made);
}
void dadd(LaneStep& s) {
  wide(s, 2, [](double a, double b, double) { return a + b; });
}
void dmul(LaneStep& s) {
  wide(s, 2, [](double a, double b, double) { return a * b; });
}
void dfma(LaneStep& s) {
  wide(s, 3, [](double a, double b, double c) { return std::fma(a, b, c); });
}

// The upper half of an operand: a register holds nothing else, a number stands there as the whole double.
LaneWords upper_half(const LaneStep& s, std::size_t n) {
  const bool literal = s.is(n, OperandKind::integer) || s.is(n, OperandKind::real);
  return literal ? s.wide_real(n).high() : s.integer(n);
}

void mufu(LaneStep& s) {
  if (s.i.has(mod("RCP64H")) || s.i.has(mod("RSQ64H"))) {
    const bool root = s.i.has(mod("RSQ64H"));
    s.write(0, each(upper_half(s, 1), [&](std::uint32_t w) {
              const double x = fp64(std::uint64_t{w} << 32);
              return static_cast<std::uint32_t>(word_of(root ? 1 / std::sqrt(x) : 1 / x) >> 32);
            }));
    return;
  }
  s.write(0, each(s.real(1), [&](std::uint32_t w) {
            const float x = fp32(w);
            if (s.i.has(mod("RCP"))) return word_of(1 / x);
            if (s.i.has(mod("RSQ"))) return word_of(1 / std::sqrt(x));
            if (s.i.has(mod("SQRT"))) return word_of(std::sqrt(x));
            if (s.i.has(mod("EX2"))) return word_of(std::exp2(x));
            if (s.i.has(mod("LG2"))) return word_of(std::log2(x));
            if (s.i.has(mod("SIN"))) return word_of(std::sin(x));
            if (s.i.has(mod("COS"))) return word_of(std::cos(x));
            return word_of(std::tanh(x));
          }));
}

constexpr NamedExecutor real_executors[] = {
    {"FADD", fadd}, {"FMUL", fmul},    {"FFMA", ffma},    {"FMNMX", fmnmx},  {"FSETP", fsetp},
    {"FCHK", fchk}, {"FADD32I", fadd}, {"FMUL32I", fmul}, {"FFMA32I", ffma}, {"DADD", dadd},
    {"DMUL", dmul}, {"DFMA", dfma},    {"DSETP", dsetp},  {"MUFU", mufu}};

} // namespace

Executor real_executor(std::string_view opcode) { return among(real_executors, opcode); }

} // namespace perfmodel
