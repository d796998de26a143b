#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace perfmodel {

double quantile(std::span<const double> samples, double q) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double mean(std::span<const double> values) {
  double sum = 0;
  std::size_t n = 0;
  for (const double v : values)
    if (std::isfinite(v)) sum += v, ++n;
  return n == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(n);
}

double largest_magnitude(std::span<const double> values) {
  double most = std::numeric_limits<double>::quiet_NaN();
  for (const double v : values)
    if (std::isfinite(v) && !(std::fabs(v) <= most)) most = std::fabs(v);
  return most;
}

} // namespace perfmodel
