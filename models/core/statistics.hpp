// Order statistics of samples: what a measurement reports instead of a lone mean.
#pragma once

#include <span>

namespace perfmodel {

// The q-quantile by linear interpolation between order statistics (q in [0, 1]; Hyndman and Fan's type 7).
// NaN when there is no sample.
double quantile(std::span<const double> samples, double q);
inline double median(std::span<const double> samples) { return quantile(samples, 0.5); }

// Both NaN when there is no finite value.
double mean(std::span<const double> values);
double largest_magnitude(std::span<const double> values);

} // namespace perfmodel
