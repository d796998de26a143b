#include "hockney_fit.hpp"

#include "models/core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfmodel {

// Normal equations of sum (alpha / t + n g / t - 1)^2. A slope or an intercept below zero means that the
// points do not show it: then it is taken to be next to nothing, and the other alone is fitted. A single
// point is all slope.
Hockney hockney_fit(const std::vector<Timed>& points, std::size_t every) {
  double aa = 0, an = 0, nn = 0, a = 0, n = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < points.size(); i += every, ++count) {
    const double t = points[i].time.value, x = 1 / t, y = points[i].bytes.value / t;
    aa += x * x, an += x * y, nn += y * y, a += x, n += y;
  }
  const double determinant = aa * nn - an * an;
  double alpha = count < 2 ? 0 : (a * nn - n * an) / determinant;
  double slope = count < 2 ? n / nn : (aa * n - an * a) / determinant;
  if (alpha < 0) alpha = 0, slope = n / nn;
  if (slope < 0) slope = 0, alpha = a / aa;
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
template <class Time> Misfit misfit_of(const Points& points, Time predicted) {
  Misfit m;
  for (const Timed& x : points) {
    const double error = predicted(x.bytes) / x.time - 1;
    m.worst = std::max(m.worst, std::fabs(error));
    m.squares += error * error;
  }
  return m;
}
Misfit of_line(const Points& points) {
  return misfit_of(points, [line = hockney_fit(points, 1)](Bytes n) { return line.time(n); });
}

BytesPerSecond rate_of(const Points& sums) {
  std::vector<double> rates;
  for (const Timed& x : sums) rates.push_back(x.bytes.value / x.time.value);
  return BytesPerSecond(median(rates));
}
Misfit of_rate(const Points& sums) {
  return misfit_of(sums, [rate = rate_of(sums)](Bytes n) { return n / rate; });
}

// Adds to `ends` where a range is to end. Down to single sizes: where caches end, times rise faster than the
// bytes, which no alpha and beta do.
void split(const Points& points, Misfit (*misfit)(const Points&), std::vector<Bytes>& ends) {
  constexpr double good = 0.1;
  if (points.size() < 2) return;
  const Misfit whole = misfit(points);
  if (whole.worst <= good) return;
  std::size_t best = 0;
  double least = whole.squares;
  const auto part = [&](std::size_t from, std::size_t to) {
    return Points(points.begin() + static_cast<std::ptrdiff_t>(from),
                  points.begin() + static_cast<std::ptrdiff_t>(to));
  };
  for (std::size_t at = 1; at < points.size(); ++at) {
    const double squares = misfit(part(0, at)).squares + misfit(part(at, points.size())).squares;
    if (squares < least) least = squares, best = at;
  }
  if (best == 0) return;
  split(part(0, best), misfit, ends);
  ends.push_back(points[best - 1].bytes);
  split(part(best, points.size()), misfit, ends);
}

// One range of messages, in as many as the rate of adding needs.
void add_pieces(const Hockney& line, const Points& sums, Bytes to, std::vector<MessageCost>& pieces) {
  std::vector<Bytes> ends;
  split(sums, of_rate, ends);
  ends.push_back(to);
  Bytes from(0);
  for (const Bytes end : ends) {
    MessageCost piece{.most = end, .alpha = line.alpha, .beta = line.beta, .adding = {}};
    if (const Points some = within(sums, from, end); !some.empty()) piece.adding = rate_of(some);
    pieces.push_back(piece);
    from = end;
  }
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
    split(within(messages, from, to), of_line, all);
    all.push_back(to);
    from = to;
  }
  CostsBySize costs;
  from = Bytes(0);
  for (const Bytes to : all) {
    add_pieces(hockney_fit(within(messages, from, to), 1), within(sums, from, to), to, costs.pieces);
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
