#include "svg_hatching.hpp"

#include "svg.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::plots {

namespace {

constexpr double thin_bar = 3; // px

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

} // namespace

std::string filled_rect(const Theme& theme, const Rect& r, int colour, Fill fill, Grade grade,
                        double strength) {
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

} // namespace perfmodel::plots
