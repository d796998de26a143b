#include "layout.hpp"

#include "frame.hpp"
#include "labels.hpp"
#include "text_box.hpp"
#include "ticks.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
struct Mapping {
  const ChartAxis &x, &y;
  Rect plot;
  // Far outside is as good as anywhere outside; clipping needs finite numbers.
  Point operator()(Point p) const {
    const double u = std::clamp(position_on(x, p.x), -1e4, 1e4),
                 v = std::clamp(position_on(y, p.y), -1e4, 1e4);
    return rounded(Point{plot.left + u * plot.width(), plot.bottom - v * plot.height()});
  }
};

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

void check(const ChartAxis& axis) {
  const bool log = axis.scale == Scale::log2 || axis.scale == Scale::log10;
  if (!std::isfinite(axis.low) || !std::isfinite(axis.high) || axis.low >= axis.high ||
      (log && axis.low <= 0) || !(axis.unit > 0))
    throw InputError(fmt::format("cannot draw an axis from {} to {}", axis.low, axis.high));
}

struct Wanted {
  std::vector<EndLabel> ends;
  std::vector<AlongLabel> alongs;
  std::vector<DotLabel> dots, bars;
  std::vector<RegionLabel> regions;
};

Segment longest_slope(const std::vector<std::vector<Point>>& lines) {
  Segment best{};
  for (const auto& line : lines)
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      if (line[i].y != line[i + 1].y && length(line[i + 1] - line[i]) > length(best.b - best.a))
        best = {line[i], line[i + 1]};
  return best;
}

void add_line(Layout& l, Wanted& wanted, const ChartLine& line, const Mapping& map) {
  PlacedLine placed{strokes(line.points, map), line.colour, line.dash, line.width,
                    line.title.empty() ? line.label : line.title};
  if (placed.strokes.empty()) return;
  if (line.spot == LabelSpot::along)
    wanted.alongs.push_back(
        {longest_slope(placed.strokes), line.label, placed.title, line.colour, line.bold});
  if (line.spot == LabelSpot::right && !line.label.empty())
    wanted.ends.push_back({placed.strokes.back().back(), line.label, placed.title, line.colour, line.bold});
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
        {at, dot.radius, dot.label, dot.title, dot.label_colour, dot.warning, dot.dropped, index});
  l.dots.push_back(std::move(placed));
}

void add_bar(Layout& l, Wanted& wanted, const Bar& bar, const Mapping& map) {
  const double foot = map.y.scale == Scale::linear ? std::clamp(0.0, map.y.low, map.y.high) : map.y.low;
  const Point a = map({bar.x - bar.width / 2, foot}), b = map({bar.x + bar.width / 2, bar.value});
  if (!finite(a) || !finite(b)) return;
  const Rect rect{a.x, std::clamp(std::min(a.y, b.y), map.plot.top, map.plot.bottom), b.x,
                  std::clamp(std::max(a.y, b.y), map.plot.top, map.plot.bottom)};
  l.bars.push_back({rect, upright(bar.x, bar.low, bar.high, map), bar.colour, bar.hollow, bar.title});
  const double top = l.bars.back().whisker ? std::min(l.bars.back().whisker->b.y, rect.top) : rect.top;
  if (!bar.label.empty())
    wanted.bars.push_back({{(rect.left + rect.right) / 2, top}, 0.5, bar.label, bar.title, ink});
}

// Everything drawn that a label must keep clear of.
Obstacles obstacles_of(const Layout& l) {
  Obstacles out(l.plot);
  for (const PlacedLine& line : l.lines)
    for (const auto& stroke : line.strokes)
      for (std::size_t i = 0; i + 1 < stroke.size(); ++i) out.add(Segment{stroke[i], stroke[i + 1]});
  for (const PlacedDot& dot : l.dots) {
    const double r = dot.radius + 1;
    out.add(quad_of({dot.at.x - r, dot.at.y - r, dot.at.x + r, dot.at.y + r}));
    if (dot.whisker)
      out.add(quad_of({dot.at.x - 4, dot.whisker->b.y - 1, dot.at.x + 4, dot.whisker->a.y + 1}));
    if (dot.dropped) out.add(*dot.dropped);
  }
  for (const PlacedBar& bar : l.bars) {
    out.add(quad_of(bar.rect));
    if (bar.whisker) out.add(*bar.whisker);
  }
  return out;
}

Layout arrange(const Chart& chart, Size size, bool names_first) {
  Layout l = frame(chart, size);
  if (l.plot.width() < 80 || l.plot.height() < 60)
    throw InputError(fmt::format("{} x {} px is too small for this chart", size.width, size.height));
  const Mapping map{chart.x, chart.y, l.plot};
  Wanted wanted;
  for (const Region& region : chart.regions) {
    std::vector<Point> outline;
    for (const Point p : region.outline) outline.push_back(map(p));
    outline = clip(std::move(outline), l.plot);
    for (Point& p : outline) p = rounded(p);
    wanted.regions.push_back({outline, region.label, region.title, region.colour});
    l.regions.push_back({std::move(outline), region.colour, region.title});
  }
  for (const Bar& bar : chart.bars) add_bar(l, wanted, bar, map);
  for (const ChartLine& line : chart.lines) add_line(l, wanted, line, map);
  for (std::size_t i = 0; i < chart.dots.size(); ++i) add_dot(l, wanted, chart.dots[i], i, map);

  Obstacles obstacles = obstacles_of(l);
  place_end_labels(l, wanted.ends);
  std::stable_partition(wanted.dots.begin(), wanted.dots.end(), [](const DotLabel& d) { return d.dropped; });
  if (!names_first) place_along(l, obstacles, wanted.alongs);
  place_above(l, obstacles, wanted.bars);
  place_dot_labels(l, obstacles, wanted.dots);
  if (names_first) place_along(l, obstacles, wanted.alongs);
  // The regions have the most room to choose from.
  place_region_labels(l, obstacles, wanted.regions);
  return l;
}

// More names than these would crowd the lines' own names out.
constexpr int few_names = 15;

// Lines named before dots, or after: whichever leaves fewer labels without room, then fewer far from what
// they name.
Layout arrange(const Chart& chart, Size size) {
  const auto cost = [](const Layout& l) {
    const auto far =
        std::count_if(l.labels.begin(), l.labels.end(), [](const Text& t) { return t.halo && t.leader; });
    return 1000 * l.unplaced + static_cast<int>(far);
  };
  Layout lines_first = arrange(chart, size, false);
  const auto named =
      std::count_if(chart.dots.begin(), chart.dots.end(), [](const ChartDot& d) { return !d.label.empty(); });
  if (cost(lines_first) == 0 || named > few_names) return lines_first;
  Layout names_first = arrange(chart, size, true);
  return cost(names_first) < cost(lines_first) ? names_first : lines_first;
}

// The labels of these dots replaced by 1, 2, 3 ..., explained in a note.
Chart number_names(Chart chart, const std::vector<std::size_t>& dots) {
  std::string key;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    std::string& label = chart.dots[dots[i]].label;
    key += fmt::format("{}{}: {}", i ? "; " : "", i + 1, label);
    label = std::to_string(i + 1);
  }
  if (!key.empty()) chart.notes.push_back(key + ".");
  return chart;
}
} // namespace

Layout layout(const Chart& chart, Size size) {
  if (size.width < 320 || size.height < 200 || size.width > 20000 || size.height > 20000)
    throw InputError(
        fmt::format("a picture is 320 x 200 to 20000 x 20000 px, not {} x {}", size.width, size.height));
  check(chart.x);
  check(chart.y);
  Layout l = arrange(chart, size);
  if (l.unplaced == 0) return l;
  // A name without room becomes a number, and the names stand below. The notes take room themselves.
  Chart numbered = number_names(chart, l.unnamed);
  l = arrange(numbered, size);
  for (int round = 0; l.unplaced > 0 && round < 3; ++round) {
    const int said = l.unplaced;
    Chart noted = numbered;
    noted.notes.push_back(fmt::format("{} no room; the tooltips have them.",
                                      said == 1 ? "1 label found" : fmt::format("{} labels found", said)));
    l = arrange(noted, size);
    if (l.unplaced == said) break;
  }
  return l;
}

} // namespace perfmodel::plots
