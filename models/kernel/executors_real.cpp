// Floating point. Index code rests on it: a division by a variable is a reciprocal, an addition to its bits
// and a conversion. Rounded to nearest; flushing of subnormal numbers is left out.
#include "executors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace perfmodel {

namespace {

float fp32(std::uint32_t word) { return std::bit_cast<float>(word); }
std::uint32_t word_of(float value) { return std::bit_cast<std::uint32_t>(value); }
double fp64(std::uint64_t word) { return std::bit_cast<double>(word); }
std::uint64_t word_of(double value) { return std::bit_cast<std::uint64_t>(value); }

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

template <class V> bool compares_reals(const Instruction& i, V a, V b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  const auto one = [&](std::size_t ordered, std::size_t also_unordered, bool yes) {
    return (i.has(ordered) && !unordered && yes) || (i.has(also_unordered) && (unordered || yes));
  };
  return one(mod("LT"), mod("LTU"), a < b) || one(mod("LE"), mod("LEU"), a <= b) ||
         one(mod("GT"), mod("GTU"), a > b) || one(mod("GE"), mod("GEU"), a >= b) ||
         one(mod("EQ"), mod("EQU"), a == b) || one(mod("NE"), mod("NEU"), a != b) ||
         (i.has(mod("NUM")) && !unordered) || (i.has(mod("NAN")) && unordered) || i.has(mod("T"));
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
  write_compared(s, flags_of(s.real(2), s.real(3), [&](std::uint32_t a, std::uint32_t b) {
                   return compares_reals(s.i, fp32(a), fp32(b));
                 }));
}
void dsetp(LaneStep& s) {
  const WideLanes a = s.wide_real(2), b = s.wide_real(3);
  Flags made{.known = a.known & b.known};
  for (std::size_t lane = 0; lane < 32; ++lane)
    made.value |= std::uint32_t{compares_reals(s.i, fp64(a.at[lane]), fp64(b.at[lane]))} << lane;
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

void mufu(LaneStep& s) {
  if (s.i.has(mod("RCP64H")) || s.i.has(mod("RSQ64H"))) { // of the upper half
    const bool root = s.i.has(mod("RSQ64H"));
    s.write(0, each(s.integer(1), [&](std::uint32_t w) {
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

// To the nearest, or as .TRUNC, .FLOOR, .CEIL (.RZ, .RM, .RP) say.
double rounded(const Instruction& i, double x) {
  if (i.has(mod("TRUNC")) || i.has(mod("RZ"))) return std::trunc(x);
  if (i.has(mod("FLOOR")) || i.has(mod("RM"))) return std::floor(x);
  if (i.has(mod("CEIL")) || i.has(mod("RP"))) return std::ceil(x);
  return std::nearbyint(x);
}
// A float that is not below (.RP), not above (.RM, .RZ of what is positive) the number. Integers of 64 bits
// come as they are, for by way of a double they would be rounded twice.
template <class Number> float to_fp32(const Instruction& i, Number x) {
  const auto nearest = static_cast<float>(x);
  // Rounded up to a number that the integer's type does not have.
  const bool beyond =
      std::is_integral_v<Number> && nearest >= std::ldexp(1.0F, std::numeric_limits<Number>::digits);
  const bool above = beyond || static_cast<Number>(nearest) > x,
             below = !beyond && static_cast<Number>(nearest) < x;
  if (i.has(mod("RP")) && below) return std::nextafter(nearest, INFINITY);
  const bool down = i.has(mod("RM")) || (i.has(mod("RZ")) && x > 0);
  if (down && above) return std::nextafter(nearest, -INFINITY);
  if (i.has(mod("RZ")) && !(x > 0) && below) return std::nextafter(nearest, INFINITY);
  return nearest;
}

// Whether a conversion is from or to bytes or words of 16 bits, which are not followed.
bool is_narrow(const Instruction& i) {
  return i.has(mod("U16")) || i.has(mod("U8")) || i.has(mod("S16")) || i.has(mod("S8"));
}

void i2f(LaneStep& s) {
  const bool wide_source = s.i.has(mod("S64")) || s.i.has(mod("U64")),
             is_unsigned = s.i.has(mod("U32")) || s.i.has(mod("U64"));
  const WideLanes source = wide_source ? s.wide(1) : WideLanes::of(s.integer(1), LaneWords::of(0));
  WideLanes made{.known = is_narrow(s.i) ? 0 : source.known};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const auto bits = source.at[lane];
    const double x = wide_source   ? (is_unsigned ? static_cast<double>(bits)
                                                  : static_cast<double>(static_cast<std::int64_t>(bits)))
                     : is_unsigned ? static_cast<double>(static_cast<std::uint32_t>(bits))
                                   : static_cast<double>(static_cast<std::int32_t>(bits));
    made.at[lane] = s.i.has(mod("F64"))          ? word_of(x)
                    : wide_source && is_unsigned ? word_of(to_fp32(s.i, bits))
                    : wide_source                ? word_of(to_fp32(s.i, static_cast<std::int64_t>(bits)))
                                                 : word_of(to_fp32(s.i, x));
  }
  if (s.i.has(mod("F16"))) made.known = 0;
  if (s.i.has(mod("F64")))
    s.write_wide(0, made);
  else
    s.write(0, made.low());
}

void f2i(LaneStep& s) {
  const bool wide_source = s.i.has(mod("F64")), wide_result = s.i.has(mod("S64")) || s.i.has(mod("U64"));
  const bool is_unsigned = s.i.has(mod("U32")) || s.i.has(mod("U64"));
  const WideLanes a = wide_source ? s.wide_real(1) : WideLanes::of(s.real(1), LaneWords::of(0));
  WideLanes made{.known = a.known};
  if (s.i.has(mod("F16")) || is_narrow(s.i)) made.known = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const double x =
        rounded(s.i, wide_source ? fp64(a.at[lane])
                                 : static_cast<double>(fp32(static_cast<std::uint32_t>(a.at[lane]))));
    const double least = is_unsigned ? 0 : wide_result ? -9223372036854775808.0 : -2147483648.0;
    const double most = wide_result   ? (is_unsigned ? 18446744073709549568.0 : 9223372036854774784.0)
                        : is_unsigned ? 4294967295.0
                                      : 2147483647.0;
    const double held = std::isnan(x) ? 0 : std::clamp(x, least, most);
    if (wide_result && x > most) // the largest of 64 bits are no doubles
      made.at[lane] = is_unsigned ? ~std::uint64_t{0} : ~std::uint64_t{0} >> 1;
    else
      made.at[lane] = is_unsigned ? static_cast<std::uint64_t>(held)
                                  : static_cast<std::uint64_t>(static_cast<std::int64_t>(held));
  }
  if (wide_result)
    s.write_wide(0, made);
  else
    s.write(0, made.low());
}

// F2F.F64.F32 widens, F2F.F32.F64 narrows; of halves nothing is kept.
void f2f(LaneStep& s) {
  if (s.i.has(mod("F16")) || s.i.has(mod("BF16"))) return s.write(0, {});
  const bool narrows = s.i.text.find("F32.F64") != std::string::npos;
  if (!narrows && s.i.has(mod("F64"))) {
    const LaneWords a = s.real(1);
    WideLanes made{.known = a.known};
    for (std::size_t lane = 0; lane < 32; ++lane)
      made.at[lane] = word_of(static_cast<double>(fp32(a.at[lane])));
    return s.write_wide(0, made);
  }
  const WideLanes a = s.wide_real(1);
  LaneWords made{.known = a.known};
  for (std::size_t lane = 0; lane < 32; ++lane) made.at[lane] = word_of(to_fp32(s.i, fp64(a.at[lane])));
  s.write(0, made);
}
void frnd(LaneStep& s) {
  if (s.i.has(mod("F64"))) {
    const WideLanes a = s.wide_real(1);
    WideLanes made{.known = a.known};
    for (std::size_t lane = 0; lane < 32; ++lane) made.at[lane] = word_of(rounded(s.i, fp64(a.at[lane])));
    return s.write_wide(0, made);
  }
  s.write(0, each(s.real(1), [&](std::uint32_t w) {
            return word_of(static_cast<float>(rounded(s.i, static_cast<double>(fp32(w)))));
          }));
}

std::uint32_t half_of(double x) {
  if (x == 0) return std::signbit(x) ? 0x8000 : 0;
  if (std::isinf(x)) return x < 0 ? 0xfc00 : 0x7c00;
  int exponent = 0;
  const double part = std::frexp(std::fabs(x), &exponent); // [1/2, 1)
  const std::uint32_t minus = x < 0 ? 0x8000 : 0;
  if (exponent > 16) return minus | 0x7c00;
  if (exponent < -13) return minus | static_cast<std::uint32_t>(std::lround(std::ldexp(std::fabs(x), 24)));
  return minus | ((static_cast<std::uint32_t>(exponent + 14) << 10) +
                  static_cast<std::uint32_t>(std::lround((part * 2 - 1) * 1024)));
}
// HFMA2.MMA R, -RZ, RZ, h, l moves a constant of two halves; other arithmetic of halves is not followed.
void hfma2(LaneStep& s) {
  const auto zero = [&](std::size_t n) {
    return s.is(n, OperandKind::reg) && s.i.operands[n].index == zero_register;
  };
  const auto constant = [&](std::size_t n) {
    return s.is(n, OperandKind::real) || s.is(n, OperandKind::integer);
  };
  // Which bits a NaN has the text does not say.
  if (zero(1) && zero(2) && constant(3) && constant(4) && !s.i.has(mod("BF16_V2")) &&
      !std::isnan(s.i.operands[3].number) && !std::isnan(s.i.operands[4].number))
    return s.write(0, LaneWords::of(half_of(s.i.operands[3].number) << 16 | half_of(s.i.operands[4].number)));
  s.write(0, {});
}
// What is computed is not followed: its results are not known.
void unknown(LaneStep& s) {
  if (s.is_predicate(0)) s.write_flag(0, {});
  if (s.is_predicate(0) && s.is_predicate(1)) s.write_flag(1, {});
  s.write(0, {});
  s.write_next(0, 1, {});
}
// The same of one register.
void unknown_word(LaneStep& s) {
  if (s.is_predicate(0)) {
    s.write_flag(0, {});
    if (s.is_predicate(1)) s.write_flag(1, {});
  }
  s.write(0, {});
}
// Tensor units: four registers of results, two where these are halves.
void unknown_tile(LaneStep& s) {
  const unsigned registers = s.i.has(mod("F16")) && !s.i.has(mod("F32")) ? 2 : 4;
  for (unsigned more = 0; more < registers; ++more) s.write_next(0, more, {});
}

struct RealExecutor {
  std::string_view opcode;
  Executor executor;
};
constexpr RealExecutor real_executors[] = {{"FADD", fadd},
                                           {"FMUL", fmul},
                                           {"FFMA", ffma},
                                           {"FMNMX", fmnmx},
                                           {"FSETP", fsetp},
                                           {"FCHK", fchk},
                                           {"FADD32I", fadd},
                                           {"FMUL32I", fmul},
                                           {"FFMA32I", ffma},
                                           {"DADD", dadd},
                                           {"DMUL", dmul},
                                           {"DFMA", dfma},
                                           {"DSETP", dsetp},
                                           {"MUFU", mufu},
                                           {"I2F", i2f},
                                           {"I2FP", i2f},
                                           {"F2I", f2i},
                                           {"F2F", f2f},
                                           {"FRND", frnd},
                                           {"HFMA2", hfma2},
                                           {"HADD2", unknown_word},
                                           {"HMUL2", unknown_word},
                                           {"HMNMX2", unknown_word},
                                           {"HSETP2", unknown_word},
                                           {"F2FP", unknown_word},
                                           {"HMMA", unknown_tile},
                                           {"IMMA", unknown_tile},
                                           {"DMMA", unknown_tile},
                                           {"I2I", unknown_word},
                                           {"FSWZADD", unknown_word},
                                           {"I2IP", unknown_word},
                                           {"DMNMX", unknown},
                                           {"IDP", unknown_word},
                                           {"VABSDIFF", unknown_word},
                                           {"VABSDIFF4", unknown_word},
                                           {"FSET", unknown_word},
                                           {"HSET2", unknown_word}};

} // namespace

Executor real_executor(std::string_view opcode) {
  const auto* at = std::find_if(std::begin(real_executors), std::end(real_executors),
                                [&](const RealExecutor& e) { return e.opcode == opcode; });
  return at == std::end(real_executors) ? nullptr : at->executor;
}

} // namespace perfmodel
