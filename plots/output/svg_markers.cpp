#include "svg_markers.hpp"

#include "svg.hpp"

#include <fmt/format.h>

#include <string_view>

namespace perfmodel::plots {

namespace {

// Corners on the unit circle; the sizes are such that all shapes look equally large.
std::vector<Point> corners(Shape shape) {
  switch (shape) {
  case Shape::square:
    return {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}};
  case Shape::triangle:
    return {{0, -1.2}, {1.1, 0.8}, {-1.1, 0.8}};
  case Shape::down_triangle:
    return {{0, 1.2}, {-1.1, -0.8}, {1.1, -0.8}};
  case Shape::diamond:
    return {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}};
  case Shape::pentagon:
    return {{0, -1.15}, {1.09, -0.36}, {0.68, 0.93}, {-0.68, 0.93}, {-1.09, -0.36}};
  case Shape::hexagon:
    return {{-1.1, 0}, {-0.55, -0.95}, {0.55, -0.95}, {1.1, 0}, {0.55, 0.95}, {-0.55, 0.95}};
  default:
    return {};
  }
}

} // namespace

std::string outline(const std::vector<Point>& points) {
  std::string d;
  for (const Point p : points) d += fmt::format("{}{} {}", d.empty() ? "M" : "L", px(p.x), px(p.y));
  return d;
}

std::string marker(Shape shape, Point at, double radius, const std::string& paint) {
  if (shape == Shape::circle || shape == Shape::dot)
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>", px(at.x), px(at.y), px(radius), paint);
  std::vector<Point> points = corners(shape);
  for (Point& p : points) p = at + radius * p;
  return fmt::format("<path d=\"{}Z\" {}/>", outline(points), paint);
}

std::string graded_marker(const Theme& theme, Shape shape, Point at, double radius, int colour, Grade grade) {
  const std::string_view line = theme.line(colour);
  const double width = radius < 3 ? 1 : 1.5;
  std::string mark =
      marker(shape, at, radius,
             fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"", theme.ground, line, px(width)));
  const double r = shape == Shape::circle || shape == Shape::dot ? radius : 1.3 * radius;
  if (grade == Grade::assumed)
    return mark + fmt::format("<path d=\"M{} {}H{}\" stroke=\"{}\" stroke-width=\"{}\" fill=\"none\"/>",
                              px(at.x - 0.9 * radius), px(at.y), px(at.x + 0.9 * radius), line, px(width));
  if (r == radius)
    return mark + fmt::format("<path d=\"M{0} {1}A{2} {2} 0 0 0 {3} {1}Z\" fill=\"{4}\"/>", px(at.x - r),
                              px(at.y), px(r), px(at.x + r), line);
  std::vector<Point> points = corners(shape);
  for (Point& p : points) p = at + radius * p;
  points = clip(std::move(points), Rect{at.x - r, at.y, at.x + r, at.y + r});
  return mark + fmt::format("<path d=\"{}Z\" fill=\"{}\"/>", outline(points), line);
}

std::string marker_paint(const Theme& theme, int colour, bool filled, bool warning) {
  const std::string_view line = theme.line(warning ? alarm : colour);
  // Hollow ones let what is below them be seen, and still catch the pointer.
  if (!filled && !warning)
    return fmt::format("fill=\"{}\" fill-opacity=\"0.3\" stroke=\"{}\" stroke-width=\"1.8\"", theme.ground,
                       line);
  return fmt::format("fill=\"{0}\" stroke=\"{0}\" stroke-width=\"1.8\"", line);
}

} // namespace perfmodel::plots
