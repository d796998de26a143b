// How far a matrix product in floating point may lie from the exact one, and whether it lies farther.
// Rounding's u bounds the root mean square error of an element, over the root mean square of the elements.
// Operands are random with mean zero: a partial sum of k of n products is sqrt(k / n) of the whole.
//   operands  off by at most r each when a unit takes them in: 2 r, should the two errors of a product agree
//   sum       fp32: rounded after each product by 2^-24 of what it has come to: 2^-24 sqrt((n + 1) / 2)
//             tensor units: cut off after four products or more, by 2^-23 and always toward zero, so that the
//             errors of all steps add up: 2^-23 (n / 4 + 1) 2 / 3
//   result    off by at most r in memory; where the sum is put together there from parts, each time again:
//             r sqrt((parts + 1) / 2)
// M. Fasi, N. J. Higham, M. Mikaitis, S. Pranesh, Numerical behavior of NVIDIA tensor cores, PeerJ Computer
// Science 7, 2021, for what these units cut off.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace perfmodel::kernels {

inline constexpr double bf16_rounding = 0x1p-8, tf32_rounding = 0x1p-11, tf32_cut = 0x1p-10;

struct Rounding {
  double operand = 0; // r: half a unit in the last place where rounded, a whole one where cut off
  bool tensor = false;
  double result = 0;
  int parts = 1; // of a sum, at most

  double of_element(int n) const {
    const double sum = tensor ? 0x1p-23 * (n / 4.0 + 1) * 2 / 3 : 0x1p-24 * std::sqrt((n + 1) / 2.0);
    return std::hypot(2 * operand, sum, result * std::sqrt((parts + 1) / 2.0));
  }
};

// Sums of so many neighbours of a row, each with a sign at random, stand for the elements: their rounding
// errors grow with the root of their number, a wrong element by itself.
inline constexpr int columns_together = 32;

inline std::vector<double> random_signs(std::size_t count) {
  std::vector<double> signs(count);
  std::uint64_t state = 1;
  for (double& sign : signs) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    sign = state >> 63 != 0 ? 1 : -1;
  }
  return signs;
}

// Of sums over the product from those over the exact one: root mean square and largest, over the root mean
// square of the exact sums.
struct ProductError {
  double mean = 0, worst = 0;
  std::size_t sums = 0;
};
inline ProductError error_of(const std::vector<double>& have, const std::vector<double>& exact) {
  double squares = 0, norm = 0, worst = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double off = std::abs(have[i] - exact[i]);
    squares += off * off;
    norm += exact[i] * exact[i];
    worst = off > worst || std::isnan(off) ? off : worst; // a NaN, once there, stays
  }
  const auto count = static_cast<double>(exact.size());
  const double scale = std::sqrt(norm / count);
  return {std::sqrt(squares / count) / scale, worst / scale, exact.size()};
}

// What the largest of so many errors may be, in u: a sum of errors of random sign exceeds t u with a
// probability of at most 2 exp(-t^2 / 2) (Hoeffding), any of them in one check of 10^9. An element shows that
// is off by more than t u sqrt(32) of the root mean square: 0.19 in bf16, 0.05 in tf32, n = 8192.
inline double most_deviations(std::size_t sums) {
  return std::sqrt(2 * std::log(2e9 * static_cast<double>(sums)));
}

// Empty where rounding explains the error; else how large it is. A NaN is never explained.
inline std::string beyond(const ProductError& error, double u) {
  const double worst = most_deviations(error.sums) * u;
  if (error.mean <= u && error.worst <= worst) return {};
  std::ostringstream text;
  text << "off by " << error.mean << " in the mean and " << error.worst << " at worst; rounding allows " << u
       << " and " << worst;
  return text.str();
}

} // namespace perfmodel::kernels
