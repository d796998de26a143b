// Boxes and segments in px, and whether they touch: what label placement asks.
#pragma once

#include "plots/chart/chart.hpp"

#include <array>
#include <numbers>
#include <optional>
#include <utility>

namespace perfmodel::plots {

inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(double k, Point p) { return {k * p.x, k * p.y}; }
double length(Point v);
inline double radians(double degrees) { return degrees * std::numbers::pi / 180; }
inline double in_degrees(double angle) { return angle * 180 / std::numbers::pi; } // of radians

struct Segment {
  Point a, b;
};

// Axis-parallel, y grows downwards.
struct Rect {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
  Point centre() const { return {(left + right) / 2, (top + bottom) / 2}; }
  bool holds(Point p) const { return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom; }
};

// A rectangle turned by any angle, as its corners in order.
struct Quad {
  std::array<Point, 4> corners{};
  Rect bounds() const;
};

Quad quad_of(const Rect& rect);
// `angle` in degrees, clockwise on the screen.
Quad turned(Point centre, double width, double height, double angle);
Quad grown(const Quad& quad, double by);

bool intersects(const Quad& a, const Quad& b);
bool intersects(const Quad& quad, const Segment& segment);
bool inside(const Quad& quad, const Rect& rect);

// The point of the quad's edge or inside that is nearest to p.
Point nearest_point(const Rect& rect, Point p);

// The part of a segment inside the rectangle (Liang and Barsky).
std::optional<Segment> clip(const Segment& segment, const Rect& rect);
// A polygon cut to a rectangle (Sutherland and Hodgman).
std::vector<Point> clip(std::vector<Point> polygon, const Rect& rect);

} // namespace perfmodel::plots
