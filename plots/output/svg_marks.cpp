#include "svg_marks.hpp"

#include "plots/layout/marks.hpp" // shades
#include "plots/layout/utf8.hpp"
#include "svg.hpp"

#include <fmt/format.h>

#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr double thin_bar = 3; // px

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

// Half of it filled, or none and a bar through it: hollow ones are measured.
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

std::string line_paint(const Theme& theme, int colour, Dash dash, double width) {
  const std::string_view array = dash_array(dash);
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}",
                     theme.line(colour), px(width),
                     array.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", array));
}

// Hollow where the grade is not known, with sleepers where it was assumed. Dashes tell other things.
std::string stroked(const Theme& theme, const std::string& d, int colour, Dash dash, double width,
                    Grade grade) {
  const auto path = [&](const std::string& paint) { return fmt::format("<path d=\"{}\" {}/>", d, paint); };
  if (grade == Grade::known) return path(line_paint(theme, colour, dash, width));
  const double inner = std::max(1.6, width);
  std::string mark =
      path(line_paint(theme, colour, dash, inner + 2)) +
      path(fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                       theme.ground, px(inner)));
  if (grade == Grade::assumed)
    mark += path(fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"1.5 4\"",
                             theme.line(colour), px(inner)));
  return mark;
}

// Without caps where they would touch.
std::string whisker(const Segment& s) {
  const bool caps = std::fabs(s.a.y - s.b.y) >= 4;
  return caps
             ? fmt::format("M{0} {2}h6M{1} {2}V{3}M{0} {3}h6", px(s.a.x - 3), px(s.a.x), px(s.b.y), px(s.a.y))
             : fmt::format("M{} {}V{}", px(s.a.x), px(s.b.y), px(s.a.y));
}

// Stripes at 45 degrees inside the rectangle, `apart` px along an edge. A pattern would need an identifier.
std::string stripes(const Rect& r, bool rising, double apart = 7) {
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

// From side to side, or from top to bottom.
std::string straight_stripes(const Rect& r, bool level, double apart = 5) {
  std::string d;
  for (double at = apart; at < (level ? r.height() : r.width()); at += apart)
    d += level ? fmt::format("M{} {}H{}", px(r.left), px(r.top + at), px(r.right))
               : fmt::format("M{} {}V{}", px(r.left + at), px(r.top), px(r.bottom));
  return d;
}

// On the ground, where the stripes that tell series apart are on a tint: dense, or sparse in a dashed
// outline.
std::string graded_rect(const Theme& theme, const Rect& r, int colour, Fill fill, Grade grade) {
  const std::string_view line = theme.line(colour);
  const bool inherited = grade == Grade::inherited;
  if (r.width() < thin_bar) // no room for a hatching
    return fmt::format("<path d=\"M{} {}V{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" "
                       "stroke-dasharray=\"{}\"/>",
                       px((r.left + r.right) / 2), px(r.bottom), px(r.top), line, px(r.width()),
                       inherited ? "4 2" : "2 4");
  const double width = std::min(1.4, 0.08 * r.width());
  const double apart = inherited ? 5 : 11;
  std::string d;
  if (fill != Fill::falling) d += stripes(r, true, apart);
  if (fill == Fill::falling || fill == Fill::crossed) d += stripes(r, false, apart);
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"{}\" "
                     "stroke-width=\"{}\"{}/>",
                     px(r.left), px(r.top), px(r.width()), px(r.height()), theme.ground, line, px(width),
                     inherited ? "" : " stroke-dasharray=\"3 2\"") +
         fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>", d, line,
                     inherited ? "1.6" : "1.1");
}

std::string filled_rect(const Theme& theme, const Rect& r, int colour, Fill fill, Grade grade = Grade::known,
                        double strength = 0) {
  if (grade != Grade::known) return graded_rect(theme, r, colour, fill, grade);
  const std::string_view line = theme.line(colour);
  // The outline of a bar of few pixels would reach into its neighbour.
  std::string mark =
      fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"{}\" "
                  "stroke-width=\"{}\"/>",
                  px(r.left), px(r.top), px(r.width()), px(r.height()),
                  strength > 0          ? theme.shade(colour, strength)
                  : fill == Fill::solid ? line
                                        : theme.tint(colour),
                  line, px(std::min(1.5, 0.08 * r.width())));
  std::string d;
  if (fill == Fill::rising || fill == Fill::crossed) d += stripes(r, true);
  if (fill == Fill::falling || fill == Fill::crossed) d += stripes(r, false);
  if (fill == Fill::level || fill == Fill::upright) d += straight_stripes(r, fill == Fill::level);
  if (!d.empty())
    mark += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"/>", d, line);
  return mark;
}

std::string titled(const std::string& title, const std::string& mark) {
  if (title.empty()) return mark + "\n";
  return "<g><title>" + escape_xml(title) + "</title>" + mark + "</g>\n";
}
} // namespace

void write_region(std::string& out, const Theme& theme, const PlacedRegion& region) {
  if (region.outline.size() < 3) return;
  out += titled(region.title, fmt::format("<path d=\"{}Z\" fill=\"{}\"/>", outline(region.outline),
                                          theme.tint(region.colour)));
}

void write_cells(std::string& out, const Theme& theme, const PlacedCells& cells) {
  std::string d, hatching;
  for (const Rect& run : cells.runs) {
    d += fmt::format("M{} {}H{}V{}H{}Z", px(run.left), px(run.top), px(run.right), px(run.bottom),
                     px(run.left));
    // In the colour of the ground, from cell to cell: in every one, or in every other.
    const double step = cells.grade == Grade::inherited ? cells.pitch : 2 * cells.pitch;
    for (double x = run.left; cells.grade != Grade::known && x < run.right - 0.5 * cells.pitch; x += step)
      hatching += fmt::format("M{} {}L{} {}", px(x), px(run.bottom), px(x + cells.pitch), px(run.top));
  }
  std::string mark = fmt::format("<path d=\"{}\" fill=\"{}\" shape-rendering=\"crispEdges\"/>", d,
                                 theme.shade(cells.colour, cells.strength));
  if (!hatching.empty())
    mark += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.8\"/>", hatching,
                        theme.ground);
  out += titled(cells.title, mark);
}

void write_bar(std::string& out, const Theme& theme, const PlacedBar& bar) {
  std::string mark = filled_rect(theme, bar.rect, bar.colour, bar.fill, bar.grade, bar.strength);
  if (bar.whisker)
    mark +=
        fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\"/>", whisker(*bar.whisker), theme.ink.line);
  out += titled(bar.title, mark);
}

void write_line(std::string& out, const Theme& theme, const PlacedLine& line) {
  std::string d;
  for (const auto& stroke : line.strokes) d += outline(stroke);
  // An unseen wider line catches the pointer.
  out += titled(line.title,
                stroked(theme, d, line.colour, line.dash, line.width, line.grade) +
                    (line.title.empty() || d.size() > 4000
                         ? ""
                         : fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#000000\" stroke-opacity=\"0\" "
                                       "stroke-width=\"9\"/>",
                                       d)));
}

void write_arrow(std::string& out, const Theme& theme, const PlacedArrow& arrow) {
  std::string mark;
  if (arrow.shaft)
    mark += fmt::format("<path d=\"{}\" {}/>", outline({arrow.shaft->a, arrow.shaft->b}),
                        line_paint(theme, arrow.colour, Dash::solid, 1.2));
  mark += fmt::format("<path d=\"{}Z\" fill=\"{}\"/>", outline({arrow.head.begin(), arrow.head.end()}),
                      theme.line(arrow.colour));
  out += titled(arrow.title, mark);
}

void write_dropped(std::string& out, const Theme& theme, const PlacedDot& dot) {
  if (!dot.dropped) return;
  out += fmt::format("<path d=\"M{} {}V{}\" {}/>\n", px(dot.dropped->a.x), px(dot.dropped->a.y),
                     px(dot.dropped->b.y), line_paint(theme, dot.colour, Dash::dotted, 1.2));
}

void write_dot(std::string& out, const Theme& theme, const PlacedDot& dot) {
  std::string mark =
      dot.grade == Grade::known || dot.warning
          ? marker(dot.shape, dot.at, dot.radius, marker_paint(theme, dot.colour, dot.filled, dot.warning))
          : graded_marker(theme, dot.shape, dot.at, dot.radius, dot.colour, dot.grade);
  if (dot.whisker)
    mark += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.1\"/>",
                        whisker(*dot.whisker), theme.ink.line);
  out += titled(dot.title, mark);
}

void write_sample(std::string& out, const Theme& theme, const PlacedSample& sample) {
  const LegendEntry& e = sample.entry;
  if (e.shades)
    for (int i = 0; i < shades; ++i)
      out +=
          fmt::format("<rect x=\"{}\" y=\"{}\" width=\"4.4\" height=\"10\" fill=\"{}\"/>\n",
                      px(sample.at.x + 4.4 * i), px(sample.at.y - 5), theme.shade(e.colour, strength_of(i)));
  if (e.line)
    out += stroked(theme, fmt::format("M{} {}h26", px(sample.at.x), px(sample.at.y)), e.colour, e.dash, 1.8,
                   e.grade) +
           "\n";
  if (e.bar)
    out += filled_rect(theme, {sample.at.x, sample.at.y - 6, sample.at.x + 20, sample.at.y + 6}, e.colour,
                       e.fill, e.grade, e.strength) +
           "\n";
  if (e.marker)
    out += (e.grade == Grade::known ? marker(e.shape, {sample.at.x + 13, sample.at.y}, e.radius,
                                             marker_paint(theme, e.colour, e.filled, e.warning))
                                    : graded_marker(theme, e.shape, {sample.at.x + 13, sample.at.y}, e.radius,
                                                    e.colour, e.grade)) +
           "\n";
}

} // namespace perfmodel::plots
