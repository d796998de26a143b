// Numbers that know what they measure: a double in base units with the exponents of byte, flop, cycle, second
// and joule in its type. `bandwidth / intensity` where `*` was meant does not compile.
// One operation, of whatever kind, counts as one flop: an int8 peak in op/s is a FlopsPerSecond.
#pragma once

#include <array>
#include <compare>
#include <string>
#include <string_view>
#include <type_traits>

namespace perfmodel {

template <int B, int F, int C, int S, int J> struct Quantity {
  double value = 0;

  constexpr Quantity() = default;
  constexpr explicit Quantity(double base) : value(base) {}
  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value + b.value); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value - b.value); }
  friend constexpr Quantity operator*(double k, Quantity a) { return Quantity(k * a.value); }
  friend constexpr Quantity operator*(Quantity a, double k) { return Quantity(k * a.value); }
  friend constexpr Quantity operator/(Quantity a, double k) { return Quantity(a.value / k); }
};

namespace detail {
// A product whose exponents are all zero is a plain number.
template <int B, int F, int C, int S, int J> constexpr auto make(double v) {
  if constexpr (B == 0 && F == 0 && C == 0 && S == 0 && J == 0)
    return v;
  else
    return Quantity<B, F, C, S, J>(v);
}
} // namespace detail

template <int B, int F, int C, int S, int J, int b, int f, int c, int s, int j>
constexpr auto operator*(Quantity<B, F, C, S, J> x, Quantity<b, f, c, s, j> y) {
  return detail::make<B + b, F + f, C + c, S + s, J + j>(x.value * y.value);
}
template <int B, int F, int C, int S, int J, int b, int f, int c, int s, int j>
constexpr auto operator/(Quantity<B, F, C, S, J> x, Quantity<b, f, c, s, j> y) {
  return detail::make<B - b, F - f, C - c, S - s, J - j>(x.value / y.value);
}
template <int B, int F, int C, int S, int J> constexpr auto operator/(double k, Quantity<B, F, C, S, J> y) {
  return detail::make<-B, -F, -C, -S, -J>(k / y.value);
}

using Count = double;
using Bytes = Quantity<1, 0, 0, 0, 0>;
using Flops = Quantity<0, 1, 0, 0, 0>;
using Cycles = Quantity<0, 0, 1, 0, 0>;
using Seconds = Quantity<0, 0, 0, 1, 0>;
using Joules = Quantity<0, 0, 0, 0, 1>;
using BytesPerSecond = Quantity<1, 0, 0, -1, 0>;
using FlopsPerSecond = Quantity<0, 1, 0, -1, 0>;
using FlopsPerByte = Quantity<-1, 1, 0, 0, 0>;
using FlopsPerCycle = Quantity<0, 1, -1, 0, 0>;
using BytesPerCycle = Quantity<1, 0, -1, 0, 0>;
using PerCycle = Quantity<0, 0, -1, 0, 0>;
using PerSecond = Quantity<0, 0, 0, -1, 0>;
using Hertz = Quantity<0, 0, 1, -1, 0>;
using Watts = Quantity<0, 0, 0, -1, 1>;
using JoulesPerFlop = Quantity<0, -1, 0, 0, 1>;
using JoulesPerByte = Quantity<-1, 0, 0, 0, 1>;
using FlopsPerJoule = Quantity<0, 1, 0, 0, -1>;

// The same exponents as a value, for text that is read and columns that are written.
struct Dimension {
  std::array<signed char, 5> exponents{};
  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

template <class T> struct DimensionOf { static constexpr Dimension value{}; };
template <int B, int F, int C, int S, int J> struct DimensionOf<Quantity<B, F, C, S, J>> {
  static constexpr Dimension value{{B, F, C, S, J}};
};
template <class Q> inline constexpr Dimension dimension_of = DimensionOf<std::remove_cv_t<Q>>::value;

template <class Q> constexpr double base_value(Q q) {
  if constexpr (std::is_arithmetic_v<Q>)
    return static_cast<double>(q);
  else
    return q.value;
}

// What a column, an option or a fact is printed in: a base symbol ("B/s", "op/s", "threads") and its
// dimension.
struct Unit {
  std::string symbol;
  Dimension dimension{};
  friend bool operator==(const Unit&, const Unit&) = default;
};

// The symbol of the base unit of a dimension: "B/s", "flop/B", "Hz"; "" for a plain number.
std::string base_symbol(const Dimension& dimension);

template <class Q> Unit unit_of() { return {base_symbol(dimension_of<Q>), dimension_of<Q>}; }

} // namespace perfmodel
