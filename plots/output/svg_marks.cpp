#include "svg_marks.hpp"

#include "plots/chart/palette.hpp"
#include "plots/layout/utf8.hpp"
#include "svg.hpp"

#include <fmt/format.h>

#include <cmath>

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

std::string marker_paint(int colour, bool filled, bool warning) {
  const std::string_view line = line_colour(warning ? alarm : colour);
  // Hollow ones let what is below them be seen, and still catch the pointer.
  if (!filled && !warning)
    return fmt::format("fill=\"#ffffff\" fill-opacity=\"0.3\" stroke=\"{}\" stroke-width=\"1.8\"", line);
  return fmt::format("fill=\"{0}\" stroke=\"{0}\" stroke-width=\"1.8\"", line);
}

std::string line_paint(int colour, Dash dash, double width) {
  const std::string_view array = dash_array(dash);
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}",
                     line_colour(colour), px(width),
                     array.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", array));
}

// Without caps where they would touch.
std::string whisker(const Segment& s) {
  const bool caps = std::fabs(s.a.y - s.b.y) >= 4;
  return caps
             ? fmt::format("M{0} {2}h6M{1} {2}V{3}M{0} {3}h6", px(s.a.x - 3), px(s.a.x), px(s.b.y), px(s.a.y))
             : fmt::format("M{} {}V{}", px(s.a.x), px(s.b.y), px(s.a.y));
}

// Stripes at 45 degrees inside the rectangle. A pattern would need an identifier.
std::string stripes(const Rect& r, bool rising) {
  constexpr double apart = 7; // px along an edge
  std::string d;
  for (double c = apart; c < r.width() + r.height(); c += apart) {
    const double u = std::min(c, r.width()), v = std::min(c, r.height()); // from a corner along both edges
    const Point a{u, c - u}, b{c - v, v};
    const auto at = [&](Point p) {
      return fmt::format("{} {}", px(r.left + p.x), px(rising ? r.top + p.y : r.bottom - p.y));
    };
    d += "M" + at(a) + "L" + at(b);
  }
  return d;
}

std::string filled_rect(const Rect& r, int colour, Fill fill) {
  const std::string_view line = line_colour(colour);
  // The outline of a bar of few pixels would reach into its neighbour.
  std::string mark = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"{}\" "
      "stroke-width=\"{}\"/>",
      px(r.left), px(r.top), px(r.width()), px(r.height()), fill == Fill::solid ? line : tint_colour(colour),
      line, px(std::min(1.5, 0.08 * r.width())));
  std::string d;
  if (fill == Fill::rising || fill == Fill::crossed) d += stripes(r, true);
  if (fill == Fill::falling || fill == Fill::crossed) d += stripes(r, false);
  if (!d.empty())
    mark += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"/>", d, line);
  return mark;
}

std::string titled(const std::string& title, const std::string& mark) {
  if (title.empty()) return mark + "\n";
  return "<g><title>" + escape_xml(title) + "</title>" + mark + "</g>\n";
}
} // namespace

void write_region(std::string& out, const PlacedRegion& region) {
  if (region.outline.size() < 3) return;
  out += titled(region.title, fmt::format("<path d=\"{}Z\" fill=\"{}\"/>", outline(region.outline),
                                          tint_colour(region.colour)));
}

void write_bar(std::string& out, const PlacedBar& bar) {
  std::string mark = filled_rect(bar.rect, bar.colour, bar.fill);
  if (bar.whisker)
    mark += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#222222\"/>", whisker(*bar.whisker));
  out += titled(bar.title, mark);
}

void write_line(std::string& out, const PlacedLine& line) {
  std::string d;
  for (const auto& stroke : line.strokes) d += outline(stroke);
  // An unseen wider line catches the pointer.
  out += titled(line.title,
                fmt::format("<path d=\"{}\" {}/>", d, line_paint(line.colour, line.dash, line.width)) +
                    (line.title.empty() || d.size() > 4000
                         ? ""
                         : fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#000000\" stroke-opacity=\"0\" "
                                       "stroke-width=\"9\"/>",
                                       d)));
}

void write_arrow(std::string& out, const PlacedArrow& arrow) {
  std::string mark;
  if (arrow.shaft)
    mark += fmt::format("<path d=\"{}\" {}/>", outline({arrow.shaft->a, arrow.shaft->b}),
                        line_paint(arrow.colour, Dash::solid, 1.2));
  mark += fmt::format("<path d=\"{}Z\" fill=\"{}\"/>", outline({arrow.head.begin(), arrow.head.end()}),
                      line_colour(arrow.colour));
  out += titled(arrow.title, mark);
}

void write_dropped(std::string& out, const PlacedDot& dot) {
  if (!dot.dropped) return;
  out += fmt::format("<path d=\"M{} {}V{}\" {}/>\n", px(dot.dropped->a.x), px(dot.dropped->a.y),
                     px(dot.dropped->b.y), line_paint(dot.colour, Dash::dotted, 1.2));
}

void write_dot(std::string& out, const PlacedDot& dot) {
  std::string mark = marker(dot.shape, dot.at, dot.radius, marker_paint(dot.colour, dot.filled, dot.warning));
  if (dot.whisker)
    mark += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#222222\" stroke-width=\"1.1\"/>",
                        whisker(*dot.whisker));
  out += titled(dot.title, mark);
}

void write_sample(std::string& out, const PlacedSample& sample) {
  const LegendEntry& e = sample.entry;
  if (e.line)
    out += fmt::format("<path d=\"M{} {}h26\" {}/>\n", px(sample.at.x), px(sample.at.y),
                       line_paint(e.colour, e.dash, 1.8));
  if (e.bar)
    out += filled_rect({sample.at.x, sample.at.y - 6, sample.at.x + 20, sample.at.y + 6}, e.colour, e.fill) +
           "\n";
  if (e.marker)
    out += marker(e.shape, {sample.at.x + 13, sample.at.y}, e.radius,
                  marker_paint(e.colour, e.filled, e.warning)) +
           "\n";
}

} // namespace perfmodel::plots
