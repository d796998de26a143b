#include "hockney_fit.hpp"

#include "models/core/statistics.hpp"
#include <algorithm>

#include <cmath>
#include <limits>

namespace perfmodel {

// Normal equations of sum (alpha / t + n g / t - 1)^2. A slope or an intercept below zero means that the
// points do not show it: then it is taken to be next to nothing.
Hockney hockney_fit(const std::vector<Timed>& points, std::size_t every) {
  double aa = 0, an = 0, nn = 0, a = 0, n = 0;
  for (std::size_t i = 0; i < points.size(); i += every) {
    const double t = points[i].time.value, x = 1 / t, y = points[i].bytes.value / t;
    aa += x * x, an += x * y, nn += y * y, a += x, n += y;
  }
  const double determinant = aa * nn - an * an;
  const double alpha = (a * nn - n * an) / determinant, slope = (aa * n - an * a) / determinant;
  return {Seconds(std::max(alpha, 1e-12)), BytesPerSecond(1 / std::max(slope, 1e-18))};
}

namespace {

constexpr std::size_t least_points = 3;
using Points = std::vector<Timed>;

std::vector<Timed> within(const Points& points, Bytes from, Bytes to) {
  Points some;
  for (const Timed& x : points)
    if (x.bytes > from && x.bytes <= to) some.push_back(x);
  return some;
}

struct Misfit {
  double worst = 0, squares = 0;
};
Misfit misfit_of(const Points& points) {
  const Hockney line = hockney_fit(points, 1);
  Misfit m;
  for (const Timed& x : points) {
    const double error = line.time(x.bytes) / x.time - 1;
    m.worst = std::max(m.worst, std::fabs(error));
    m.squares += error * error;
  }
  return m;
}

// Adds to `ends` where a range is to end.
void split(const Points& points, std::vector<Bytes>& ends) {
  constexpr double good = 0.1;
  const Misfit whole = misfit_of(points);
  if (whole.worst <= good || points.size() < 2 * least_points) return;
  std::size_t best = 0;
  double least = whole.squares;
  const auto part = [&](std::size_t from, std::size_t to) {
    return Points(points.begin() + static_cast<std::ptrdiff_t>(from),
                  points.begin() + static_cast<std::ptrdiff_t>(to));
  };
  for (std::size_t at = least_points; at + least_points <= points.size(); ++at) {
    const double squares = misfit_of(part(0, at)).squares + misfit_of(part(at, points.size())).squares;
    if (squares < least) least = squares, best = at;
  }
  if (best == 0) return;
  split(part(0, best), ends);
  ends.push_back(points[best - 1].bytes);
  split(part(best, points.size()), ends);
}

} // namespace

CostsBySize costs_by_size(const std::vector<Timed>& messages, const std::vector<Timed>& sums,
                          const std::vector<Bytes>& ends) {
  const Bytes no_end(std::numeric_limits<double>::infinity());
  std::vector<Bytes> all;
  Bytes from(0);
  for (std::size_t i = 0; i <= ends.size(); ++i) {
    const Bytes to = i < ends.size() ? ends[i] : no_end;
    const bool enough_left = to == no_end || within(messages, to, no_end).size() >= least_points;
    if (within(messages, from, to).size() < least_points || !enough_left) continue;
    split(within(messages, from, to), all);
    all.push_back(to);
    from = to;
  }
  CostsBySize costs;
  from = Bytes(0);
  for (const Bytes to : all) {
    const Hockney line = hockney_fit(within(messages, from, to), 1);
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
