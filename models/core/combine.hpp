// How resource times that can overlap become one: T = (sum t_i^p)^(1/p).
// max (p = infinity) is perfect overlap and a lower bound, sum (p = 1) no overlap and an upper bound. The
// roofline is max; any other p is a fitted constant, and whoever uses one counts it.
#pragma once

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace perfmodel {

struct Combine {
  double p = std::numeric_limits<double>::infinity();

  // "max", "sum", "p=4.6". Throws InputError.
  static Combine parse(std::string_view text) {
    if (text == "max") return {};
    if (text == "sum") return {1};
    if (text.substr(0, 2) == "p=") {
      try {
        const double p = parse_quantity_as(text.substr(2), {});
        if (p >= 1) return {p};
      } catch (const InputError& e) {
        throw InputError(std::string("--combine: ") + e.what());
      }
    }
    throw InputError("--combine: max, sum or p=NUMBER with NUMBER from 1 is expected");
  }
  bool fitted() const { return std::isfinite(p) && p != 1; }

  // 1 / T of two resources with rates a and b in the same unit: min(a, b) at p = infinity.
  double rate(double a, double b) const {
    const double low = a < b ? a : b, high = a < b ? b : a;
    return std::isinf(p) ? low : low * std::pow(1 + std::pow(low / high, p), -1 / p);
  }
};

} // namespace perfmodel
