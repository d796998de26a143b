#include "partial_lines.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

double sent_early(const PartialLines& l2, double others) {
  const double mean = others / l2.sets;
  double term = std::exp(-mean), fewer = 0;
  for (double k = 0; k < l2.ways; ++k) {
    fewer += term;
    term *= mean / (k + 1);
  }
  return std::clamp(1 - fewer, 0.0, 1.0);
}

double sent_early_of_all(const PartialLines& l2, double lines) {
  constexpr int steps = 256; // after the n-th of them come lines - n others
  double sum = 0;
  for (int i = 0; i < steps; ++i) sum += sent_early(l2, lines * (i + 0.5) / steps);
  return sum / steps;
}

} // namespace perfmodel
