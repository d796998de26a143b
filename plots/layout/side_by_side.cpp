#include "side_by_side.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace perfmodel::plots {

namespace {

// px from the first arrow of a row to the last, across them.
double across(const Segment& first, const Segment& last) {
  const Point way = first.b - first.a;
  return std::fabs((last.a.x - first.a.x) * way.y) / length(way);
}

} // namespace

std::vector<bool> followed_by_eye(const std::vector<Segment>& arrows) {
  std::map<std::tuple<long, long, long>, std::vector<std::size_t>> rows;
  for (std::size_t i = 0; i < arrows.size(); ++i) {
    const Point way = arrows[i].b - arrows[i].a;
    rows[{std::lround(arrows[i].a.y), std::lround(way.x), std::lround(way.y)}].push_back(i);
  }
  std::vector<bool> drawn(arrows.size(), true);
  for (auto& [key, row] : rows) {
    std::sort(row.begin(), row.end(),
              [&](std::size_t i, std::size_t j) { return arrows[i].a.x < arrows[j].a.x; });
    const double width = across(arrows[row.front()], arrows[row.back()]);
    const std::size_t gaps = row.size() - 1,
                      most = std::max<std::size_t>(1, static_cast<std::size_t>(width / least_apart));
    if (width <= 0 || gaps <= most) continue;
    for (const std::size_t i : row) drawn[i] = false;
    for (std::size_t k = 0; k <= most; ++k) drawn[row[k * gaps / most]] = true;
  }
  return drawn;
}

} // namespace perfmodel::plots
