#include "svg_marks.hpp"

#include "plots/layout/marks.hpp" // shades
#include "plots/layout/utf8.hpp"
#include "svg.hpp"
#include "svg_hatching.hpp"
#include "svg_markers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace perfmodel::plots {

namespace {
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
