// alpha and beta of T = alpha + n / beta from measured times, by least squares of relative errors: a message
// of 8 B counts as much as one of 4 MiB. Every other size is left out, and judged.
#pragma once

#include "models/core/units.hpp"

#include <vector>

namespace perfmodel {

struct Timed {
  Bytes bytes;
  Seconds time, low, high; // median, 5th and 95th percentile
};

struct Hockney {
  Seconds alpha;
  BytesPerSecond beta;
  Seconds time(Bytes n) const { return alpha + n / beta; }
};

// Of the points of even index; at least four points in all.
Hockney hockney_fit(const std::vector<Timed>& points);

// Mean of |T / measured - 1| over the points of odd index.
double error_of_others(const Hockney& fitted, const std::vector<Timed>& points);

} // namespace perfmodel
