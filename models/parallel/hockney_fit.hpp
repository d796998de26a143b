// alpha and beta of T = alpha + n / beta from measured times, by least squares of relative errors: a message
// of 8 B counts as much as one of 4 MiB. Every other size is left out, and judged.
#pragma once

#include "costs_by_size.hpp"

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

// Of the points of even index, or of all (every = 1); at least one of them.
Hockney hockney_fit(const std::vector<Timed>& points, std::size_t every = 2);

// alpha and beta of each range of sizes up to one of the rising `ends`, and of the rest, from messages; a
// range in which a time is off by more than a tenth is split where that helps most, for caches end where no
// library says. So it is for the rate of adding, the middle one of the sums in its range. Ranges up to `ends`
// have three messages or more; `messages` has at least three, by rising size.
CostsBySize costs_by_size(const std::vector<Timed>& messages, const std::vector<Timed>& sums,
                          const std::vector<Bytes>& ends);

// Mean of |T / measured - 1| over the points of odd index.
double error_of_others(const Hockney& fitted, const std::vector<Timed>& points);

} // namespace perfmodel
