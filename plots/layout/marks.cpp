#include "marks.hpp"

#include "text_box.hpp"
#include "ticks.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
bool finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

std::vector<std::vector<Point>> strokes(const std::vector<Point>& points, const Mapping& map) {
  std::vector<std::vector<Point>> out;
  bool open = false; // the last stroke ends where the next segment starts
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point a = map(points[i]), b = map(points[i + 1]);
    const std::optional<Segment> kept = finite(a) && finite(b) ? clip(Segment{a, b}, map.plot) : std::nullopt;
    if (!kept) {
      open = false;
      continue;
    }
    const Segment s{rounded(kept->a), rounded(kept->b)};
    if (!open || !(out.back().back() == s.a)) out.push_back({s.a});
    if (!(out.back().back() == s.b)) out.back().push_back(s.b);
    open = s.b == b;
  }
  return out;
}

std::optional<Segment> upright(double x, double low, double high, const Mapping& map) {
  if (!std::isfinite(low) || !std::isfinite(high)) return std::nullopt;
  const Point a = map({x, low}), b = map({x, high});
  if (!finite(a) || !finite(b)) return std::nullopt;
  const std::optional<Segment> kept = clip(Segment{a, b}, map.plot);
  return kept ? std::optional(Segment{rounded(kept->a), rounded(kept->b)}) : std::nullopt;
}

Segment longest_slope(const std::vector<std::vector<Point>>& lines) {
  Segment best{};
  for (const auto& line : lines)
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      if (line[i].y != line[i + 1].y && length(line[i + 1] - line[i]) > length(best.b - best.a))
        best = {line[i], line[i + 1]};
  return best;
}
} // namespace

// Far outside is as good as anywhere outside; clipping needs finite numbers.
Point Mapping::operator()(Point p) const {
  const double u = std::clamp(position_on(x, p.x), -1e4, 1e4), v = std::clamp(position_on(y, p.y), -1e4, 1e4);
  return rounded(Point{plot.left + u * plot.width(), plot.bottom - v * plot.height()});
}

void add_region(Layout& l, Wanted& wanted, const Region& region, const Mapping& map) {
  std::vector<Point> outline;
  for (const Point p : region.outline) outline.push_back(map(p));
  outline = clip(std::move(outline), l.plot);
  for (Point& p : outline) p = rounded(p);
  wanted.regions.push_back({outline, region.label, region.title, region.colour});
  l.regions.push_back({std::move(outline), region.colour, region.title});
}

void add_line(Layout& l, Wanted& wanted, const ChartLine& line, const Mapping& map) {
  PlacedLine placed{strokes(line.points, map), line.colour, line.dash, line.width,
                    line.title.empty() ? line.label : line.title};
  if (placed.strokes.empty()) return;
  if (line.spot == LabelSpot::along)
    wanted.alongs.push_back(
        {longest_slope(placed.strokes), line.label, placed.title, line.colour, line.bold});
  if (line.spot == LabelSpot::right && !line.label.empty()) {
    const Point end = placed.strokes.back().back();
    if (l.plot.right - end.x > 0.12 * l.plot.width()) // a leader to the margin would cross the longer lines
      wanted.dots.push_back({end, 4, line.label, placed.title, line.colour, line.bold});
    else
      wanted.ends.push_back({end, line.label, placed.title, line.colour, line.bold, line.sample});
  }
  l.lines.push_back(std::move(placed));
}

void add_dot(Layout& l, Wanted& wanted, const ChartDot& dot, std::size_t index, const Mapping& map) {
  const Point at = map(dot.at);
  if (!finite(at) || !map.plot.holds(at)) return;
  PlacedDot placed;
  placed.at = at, placed.shape = dot.shape, placed.colour = dot.colour, placed.filled = dot.filled;
  placed.warning = dot.warning, placed.radius = dot.radius, placed.title = dot.title;
  placed.whisker = upright(dot.at.x, dot.low, dot.high, map);
  if (dot.dropped) placed.dropped = Segment{at, {at.x, map.plot.bottom}};
  if (!dot.label.empty())
    wanted.dots.push_back(
        {at, dot.radius, dot.label, dot.title, dot.label_colour, dot.warning, dot.dropped, index, dot.step});
  l.dots.push_back(std::move(placed));
}

void add_bar(Layout& l, Wanted& wanted, const Bar& bar, const Mapping& map) {
  const double foot = map.y.scale == Scale::linear ? std::clamp(0.0, map.y.low, map.y.high) : map.y.low;
  const Point a = map({bar.x - bar.width / 2, foot}), b = map({bar.x + bar.width / 2, bar.value});
  if (!finite(a) || !finite(b)) return;
  const Rect rect{a.x, std::clamp(std::min(a.y, b.y), map.plot.top, map.plot.bottom), b.x,
                  std::clamp(std::max(a.y, b.y), map.plot.top, map.plot.bottom)};
  l.bars.push_back({rect, upright(bar.x, bar.low, bar.high, map), bar.colour, bar.fill, bar.title});
  const double top = l.bars.back().whisker ? std::min(l.bars.back().whisker->b.y, rect.top) : rect.top;
  if (!bar.label.empty())
    wanted.bars.push_back({{(rect.left + rect.right) / 2, top}, 0.5, bar.label, bar.title, ink});
}

} // namespace perfmodel::plots
