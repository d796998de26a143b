// Conversions between integers and floating point, and roundings.
#include "executors.hpp"
#include "real_bits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace perfmodel {

namespace {

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

constexpr NamedExecutor conversion_executors[] = {
    {"I2F", i2f}, {"I2FP", i2f}, {"F2I", f2i}, {"F2F", f2f}, {"FRND", frnd}};

} // namespace

Executor conversion_executor(std::string_view opcode) { return among(conversion_executors, opcode); }

} // namespace perfmodel
