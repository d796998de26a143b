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

} // namespace perfmodel
