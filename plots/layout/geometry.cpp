#include "geometry.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

double length(Point v) { return std::sqrt(v.x * v.x + v.y * v.y); }

namespace {
double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }

// The shadow of some points on an axis.
template <class Points> std::pair<double, double> shadow(const Points& points, Point axis) {
  double low = dot(points[0], axis), high = low;
  for (const Point& p : points) {
    low = std::min(low, dot(p, axis));
    high = std::max(high, dot(p, axis));
  }
  return {low, high};
}

template <class A, class B> bool apart(const A& a, const B& b, Point axis) {
  const auto [a_low, a_high] = shadow(a, axis);
  const auto [b_low, b_high] = shadow(b, axis);
  return a_high <= b_low || b_high <= a_low;
}

Point normal(Point v) { return {-v.y, v.x}; }

// Convex shapes are apart when one of their edges separates them.
template <class Other> bool separated(const Quad& quad, const Other& other) {
  return apart(quad.corners, other, quad.corners[1] - quad.corners[0]) ||
         apart(quad.corners, other, quad.corners[2] - quad.corners[1]);
}

bool overlap(const Rect& a, const Rect& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
} // namespace

Rect Quad::bounds() const {
  const auto [left, right] = shadow(corners, {1, 0});
  const auto [top, bottom] = shadow(corners, {0, 1});
  return {left, top, right, bottom};
}

Quad quad_of(const Rect& r) {
  return {{Point{r.left, r.top}, Point{r.right, r.top}, Point{r.right, r.bottom}, Point{r.left, r.bottom}}};
}

Quad turned(Point centre, double width, double height, double angle) {
  const double turn = radians(angle);
  const Point along{std::cos(turn) * width / 2, std::sin(turn) * width / 2};
  const Point across{-std::sin(turn) * height / 2, std::cos(turn) * height / 2};
  return {
      {centre - along - across, centre + along - across, centre + along + across, centre - along + across}};
}

Quad grown(const Quad& q, double by) {
  const Point along = q.corners[1] - q.corners[0], across = q.corners[3] - q.corners[0];
  const double width = length(along), height = length(across);
  if (width <= 0 || height <= 0) return q;
  const Point u = by / width * along, v = by / height * across;
  return {{q.corners[0] - u - v, q.corners[1] + u - v, q.corners[2] + u + v, q.corners[3] - u + v}};
}

bool intersects(const Quad& a, const Quad& b) {
  return overlap(a.bounds(), b.bounds()) && !separated(a, b.corners) && !separated(b, a.corners);
}

bool intersects(const Quad& quad, const Segment& s) {
  const std::array<Point, 2> ends{s.a, s.b};
  const Rect bounds = quad.bounds();
  if (std::max(s.a.x, s.b.x) < bounds.left || std::min(s.a.x, s.b.x) > bounds.right ||
      std::max(s.a.y, s.b.y) < bounds.top || std::min(s.a.y, s.b.y) > bounds.bottom)
    return false;
  return !separated(quad, ends) && (s.a == s.b || !apart(quad.corners, ends, normal(s.b - s.a)));
}

bool inside(const Quad& quad, const Rect& rect) {
  return std::all_of(quad.corners.begin(), quad.corners.end(), [&](Point p) { return rect.holds(p); });
}

Point nearest_point(const Rect& r, Point p) {
  return {std::clamp(p.x, r.left, r.right), std::clamp(p.y, r.top, r.bottom)};
}

std::optional<Segment> clip(const Segment& s, const Rect& r) {
  const Point d = s.b - s.a;
  double from = 0, to = 1;
  const auto cut = [&](double step, double room) { // keeps t where t * step <= room
    if (step == 0) return room >= 0;
    const double t = room / step;
    if (step > 0)
      to = std::min(to, t);
    else
      from = std::max(from, t);
    return from <= to;
  };
  if (!cut(d.x, r.right - s.a.x) || !cut(-d.x, s.a.x - r.left) || !cut(d.y, r.bottom - s.a.y) ||
      !cut(-d.y, s.a.y - r.top))
    return std::nullopt;
  return Segment{from > 0 ? s.a + from * d : s.a, to < 1 ? s.a + to * d : s.b};
}

std::vector<Point> clip(std::vector<Point> polygon, const Rect& r) {
  const auto cut = [&polygon](auto depth) { // depth >= 0 is inside
    std::vector<Point> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
      const double da = depth(a), db = depth(b);
      if (da >= 0) kept.push_back(a);
      if ((da < 0) != (db < 0)) kept.push_back(a + da / (da - db) * (b - a));
    }
    polygon = std::move(kept);
  };
  cut([&](Point p) { return p.x - r.left; });
  cut([&](Point p) { return r.right - p.x; });
  cut([&](Point p) { return p.y - r.top; });
  cut([&](Point p) { return r.bottom - p.y; });
  return polygon;
}

} // namespace perfmodel::plots
