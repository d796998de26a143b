#include "hockney_fit.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

// Normal equations of sum (alpha / t + n g / t - 1)^2. A slope or an intercept below zero means that the
// points do not show it: then it is taken to be next to nothing.
Hockney hockney_fit(const std::vector<Timed>& points) {
  double aa = 0, an = 0, nn = 0, a = 0, n = 0;
  for (std::size_t i = 0; i < points.size(); i += 2) {
    const double t = points[i].time.value, x = 1 / t, y = points[i].bytes.value / t;
    aa += x * x, an += x * y, nn += y * y, a += x, n += y;
  }
  const double determinant = aa * nn - an * an;
  const double alpha = (a * nn - n * an) / determinant, slope = (aa * n - an * a) / determinant;
  return {Seconds(std::max(alpha, 1e-12)), BytesPerSecond(1 / std::max(slope, 1e-18))};
}

double error_of_others(const Hockney& fitted, const std::vector<Timed>& points) {
  double sum = 0, count = 0;
  for (std::size_t i = 1; i < points.size(); i += 2, ++count)
    sum += std::fabs(fitted.time(points[i].bytes) / points[i].time - 1);
  return sum / count;
}

} // namespace perfmodel
