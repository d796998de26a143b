#include "staged_copy.hpp"

#include "models/core/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfmodel {

namespace {

constexpr std::size_t least_staged_points = 4;

double squares_of(const StagedCopy& fit, const std::vector<Timed>& points) {
  double sum = 0;
  for (const Timed& x : points) sum += std::pow(fit.time(x.bytes) / x.time - 1, 2);
  return sum;
}

// With this size of a piece. Empty where a rate or alpha comes out below zero.
std::optional<StagedCopy> with_piece(const std::vector<Timed>& points, Bytes piece) {
  const auto term = [&](std::size_t row, std::size_t c) {
    const double t = points[row].time.value, n = points[row].bytes.value;
    return c == 0 ? 1 / t : c == 1 ? std::min(n, piece.value) / t : std::max(n - piece.value, 0.0) / t;
  };
  const std::vector<Fitted> x = least_squares(points.size(), 3, term, [](std::size_t) { return 1.0; });
  if (x.empty() || std::any_of(x.begin(), x.end(), [](const Fitted& f) { return !(f.value > 0); }))
    return std::nullopt;
  return StagedCopy{Seconds(x[0].value), piece, BytesPerSecond(1 / x[1].value),
                    BytesPerSecond(1 / x[2].value)};
}

// What is left of a time when all but the rest is taken away, of a copy beyond the caches.
BytesPerSecond rate_beyond(const StagedCopy& cached, const std::vector<Timed>& points) {
  double rr = 0, r = 0; // least squares of (start + n g) / t - 1
  for (const Timed& x : points) {
    const double t = x.time.value, rest = (x.bytes - cached.piece).value / t;
    rr += rest * rest, r += rest * (1 - cached.time(cached.piece).value / t);
  }
  return BytesPerSecond(rr / r);
}

} // namespace

Seconds StagedCopy::time(Bytes n) const {
  return alpha + std::min(n, piece) / first + std::max(n - piece, Bytes(0)) / rest;
}

Seconds StagedCopies::time(Bytes n) const {
  if (!cache || !memory || n <= *cache) return cached.time(n);
  StagedCopy beyond = cached;
  beyond.rest = *memory;
  return beyond.time(n);
}

StagedCopy staged_fit(const std::vector<Timed>& points) {
  const Hockney line = hockney_fit(points, 1);
  StagedCopy best{line.alpha, points.front().bytes, line.beta, line.beta};
  double least = squares_of(best, points);
  for (std::size_t i = 1; i + 2 < points.size(); ++i)
    if (const auto fit = with_piece(points, points[i].bytes)) {
      const double squares = squares_of(*fit, points);
      if (squares < least) least = squares, best = *fit;
    }
  return best;
}

StagedCopies staged_copies(const std::vector<Timed>& points, std::optional<Bytes> known) {
  constexpr Bytes least_cache(1 << 20);
  StagedCopies best{staged_fit(points), {}, {}};
  double least = known ? std::numeric_limits<double>::infinity() : squares_of(best.cached, points);
  for (std::size_t i = least_staged_points; i < points.size(); ++i) {
    const Bytes last = points[i - 1].bytes, next = points[i].bytes;
    if (known ? *known < last || !(*known < next) : last < least_cache) continue;
    const std::vector<Timed> within(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(i)),
        beyond(points.begin() + static_cast<std::ptrdiff_t>(i), points.end());
    StagedCopies split{staged_fit(within), {}, {}};
    split.memory = rate_beyond(split.cached, beyond);
    split.cache = known ? *known : Bytes(std::sqrt(last.value * next.value));
    if (!known && *split.memory > 0.9 * split.cached.rest) continue;
    double squares = squares_of(split.cached, within);
    for (const Timed& x : beyond) squares += std::pow(split.time(x.bytes) / x.time - 1, 2);
    if (squares < least) least = squares, best = split;
  }
  return best;
}

} // namespace perfmodel
