#include "hockney_fit.hpp"

#include "models/core/statistics.hpp"
#include <algorithm>

#include <cmath>
#include <limits>

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

namespace {

std::vector<Timed> within(const std::vector<Timed>& points, Bytes from, Bytes to) {
  std::vector<Timed> some;
  for (const Timed& x : points)
    if (x.bytes > from && x.bytes <= to) some.push_back(x);
  return some;
}

} // namespace

CostsBySize costs_by_size(const std::vector<Timed>& messages, const std::vector<Timed>& sums,
                          const std::vector<Bytes>& ends) {
  const Bytes no_end(std::numeric_limits<double>::infinity());
  CostsBySize costs;
  Bytes from(0);
  for (std::size_t i = 0; i <= ends.size(); ++i) {
    const Bytes to = i < ends.size() ? ends[i] : no_end;
    const bool enough_left = within(messages, to, no_end).size() >= 3 || to == no_end;
    if (within(messages, from, to).size() < 3 || !enough_left) continue;
    const Hockney line = hockney_fit(within(messages, from, to));
    MessageCost piece{.most = to, .alpha = line.alpha, .beta = line.beta, .adding = {}};
    std::vector<double> rates;
    for (const Timed& x : within(sums, from, to)) rates.push_back(x.bytes.value / x.time.value);
    if (!rates.empty()) piece.adding = BytesPerSecond(median(rates));
    costs.pieces.push_back(piece);
    from = to;
  }
  costs.pieces.back().most = no_end;
  return costs;
}

double error_of_others(const Hockney& fitted, const std::vector<Timed>& points) {
  double sum = 0, count = 0;
  for (std::size_t i = 1; i < points.size(); i += 2, ++count)
    sum += std::fabs(fitted.time(points[i].bytes) / points[i].time - 1);
  return sum / count;
}

} // namespace perfmodel
