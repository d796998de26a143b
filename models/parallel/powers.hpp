// Logarithms, powers of two and roots, of plain numbers and of the terms of a derivation alike.
#pragma once

#include "models/core/trace.hpp"

#include <cmath>
#include <string>

namespace perfmodel {

namespace detail {
inline Term<double> named(const char* name, double value, const Term<double>& a) {
  return {value, std::string(name) + "(" + a.formula + ")", std::string(name) + "(" + a.numbers + ")", 0};
}
} // namespace detail

inline double lg(double a) { return std::log2(a); }
inline Term<double> lg(const Term<double>& a) { return detail::named("lg", lg(a.value), a); }

// Halvings of `a` down to one: log2 rounds 2^50 + 1 down to 50 before a ceil could see it.
inline double round_up_lg(double a) {
  int exponent = 0;
  return std::frexp(a, &exponent) == 0.5 ? exponent - 1 : exponent;
}
inline Term<double> round_up_lg(const Term<double>& a) {
  return {round_up_lg(a.value), "ceil(lg(" + a.formula + "))", "ceil(lg(" + a.numbers + "))", 0};
}

inline double power_of_two(double a) { return std::exp2(a); }
inline Term<double> power_of_two(const Term<double>& a) {
  return detail::named("2^", power_of_two(a.value), a);
}

inline double square_root(double a) { return std::sqrt(a); }
inline Term<double> square_root(const Term<double>& a) {
  return detail::named("sqrt", square_root(a.value), a);
}

} // namespace perfmodel
