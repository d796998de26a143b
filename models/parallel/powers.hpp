// Logarithms, powers of two and roots, of plain numbers and of the terms of a derivation alike.
#pragma once

#include "models/core/trace.hpp"

#include <cmath>

namespace perfmodel {

inline double lg(double a) { return std::log2(a); }
inline Term<double> lg(const Term<double>& a) { return {lg(a.value), detail::call("lg", a)}; }

// Halvings of `a` down to one: log2 rounds 2^50 + 1 down to 50 before a ceil could see it.
inline double round_up_lg(double a) {
  int exponent = 0;
  return std::frexp(a, &exponent) == 0.5 ? exponent - 1 : exponent;
}
inline Term<double> round_up_lg(const Term<double>& a) {
  return {round_up_lg(a.value), detail::call("ceil", detail::call("lg", a))};
}

inline double power_of_two(double a) { return std::exp2(a); }
inline Term<double> power_of_two(const Term<double>& a) {
  return {power_of_two(a.value), detail::call("2^", a)};
}

inline double square_root(double a) { return std::sqrt(a); }
inline Term<double> square_root(const Term<double>& a) {
  return {square_root(a.value), detail::call("sqrt", a)};
}

} // namespace perfmodel
