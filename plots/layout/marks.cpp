#include "marks.hpp"

#include "text_box.hpp"
#include "ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace perfmodel::plots {

namespace {
bool finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

// The points in px. Of those that follow one another in a column the first, lowest, highest and last: what is
// left out lies on strokes that are drawn.
std::vector<Point> mapped(const std::vector<Point>& points, const Mapping& map, double column) {
  std::vector<Point> out;
  if (column == 0) {
    for (const Point p : points) out.push_back(map(p));
    return out;
  }
  std::vector<Point> stretch; // of one column
  const auto flush = [&] {
    if (stretch.empty()) return;
    const auto [high, low] =
        std::minmax_element(stretch.begin(), stretch.end(), [](Point a, Point b) { return a.y < b.y; });
    const auto first = std::min(high, low), second = std::max(high, low);
    out.push_back(stretch.front());
    if (first != stretch.begin()) out.push_back(*first);
    if (second != first) out.push_back(*second);
    if (second + 1 != stretch.end()) out.push_back(stretch.back());
    stretch.clear();
  };
  double at = 0;
  for (const Point point : points) {
    const Point p = map(point);
    const double here = std::floor(p.x / column);
    if (!finite(p) || here != at) flush();
    if (!finite(p))
      out.push_back(p);
    else
      stretch.push_back(p);
    at = here;
  }
  flush();
  return out;
}

std::vector<std::vector<Point>> strokes(const std::vector<Point>& points, const Mapping& map, double column) {
  std::vector<std::vector<Point>> out;
  bool open = false; // the last stroke ends where the next segment starts
  const std::vector<Point> at = mapped(points, map, column);
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    const Point a = at[i], b = at[i + 1];
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

double column_of(const Chart& chart, double width) {
  constexpr double finest = 0.5;        // px: a PNG has two pixels to each of ours
  constexpr std::size_t most = 150'000; // points of all lines: two megabytes
  const auto drawn = [&](double column) {
    const std::size_t of_a_line = static_cast<std::size_t>(4 * width / column);
    std::size_t sum = 0;
    for (const ChartLine& line : chart.lines) sum += std::min(line.points.size(), of_a_line);
    return sum;
  };
  const auto most_points =
      std::max_element(chart.lines.begin(), chart.lines.end(), [](const ChartLine& a, const ChartLine& b) {
        return a.points.size() < b.points.size();
      });
  if (most_points == chart.lines.end() ||
      (static_cast<double>(most_points->points.size()) <= 4 * width / finest && drawn(finest) <= most))
    return 0;
  double column = finest;
  while (drawn(column) > most && column < width) column *= 2;
  return column;
}

void add_density(Layout& l, const Density& density, const Mapping& map) {
  std::uint32_t most = 0;
  for (const Density::Cell& cell : density.cells) most = std::max(most, cell.count);
  if (most == 0) return;
  const auto shade = [&](std::uint32_t count) { // 0 is the palest
    if (most == 1) return shades - 1;
    return static_cast<int>((shades - 1e-9) * std::log(count) / std::log(most));
  };
  struct Look {
    int shade, colour;
    Grade grade;
    bool operator<(const Look& o) const {
      return std::tie(shade, colour, grade) < std::tie(o.shade, o.colour, o.grade);
    }
  };
  struct Alike {
    std::vector<Rect> runs;
    std::uint32_t low = 0, high = 0;
  };
  std::map<Look, Alike> looks;
  const double wide = map.plot.width() / density.columns, high = map.plot.height() / density.rows;
  for (int row = 0; row < density.rows; ++row)
    for (int from = 0, to; from < density.columns; from = to) {
      const auto cell = [&](int column) -> const Density::Cell& {
        return density.cells[static_cast<std::size_t>(row * density.columns + column)];
      };
      const auto look = [&](int column) {
        return Look{shade(cell(column).count), cell(column).colour, cell(column).grade};
      };
      to = from + 1;
      if (cell(from).count == 0) continue;
      const Look here = look(from);
      Alike& alike = looks[here];
      alike.low = alike.high == 0 ? cell(from).count : std::min(alike.low, cell(from).count);
      alike.high = std::max(alike.high, cell(from).count);
      for (; to < density.columns && cell(to).count > 0 && !(look(to) < here) && !(here < look(to)); ++to)
        alike.low = std::min(alike.low, cell(to).count), alike.high = std::max(alike.high, cell(to).count);
      alike.runs.push_back({rounded(map.plot.left + from * wide), rounded(map.plot.top + row * high),
                            rounded(map.plot.left + to * wide), rounded(map.plot.top + (row + 1) * high)});
    }
  for (auto& [look, alike] : looks) {
    PlacedCells cells{std::move(alike.runs), look.colour, strength_of(look.shade), look.grade, wide, ""};
    cells.title = fmt::format("{}{} {} in a cell", alike.low,
                              alike.low == alike.high ? "" : fmt::format(" to {}", alike.high), density.of);
    if (look.grade != Grade::known)
      cells.title += look.grade == Grade::inherited ? ", most of inherited cost" : ", most of assumed cost";
    l.cells.push_back(std::move(cells));
  }
}

void add_line(Layout& l, Wanted& wanted, const ChartLine& line, const Mapping& map, double column) {
  PlacedLine placed{strokes(line.points, map, column),
                    line.colour,
                    line.dash,
                    line.width,
                    line.title.empty() ? line.label : line.title,
                    line.grade};
  if (placed.strokes.empty()) return;
  const bool is_shared = !line.shared_label.empty() && line.label == line.shared_label;
  const int label_colour = is_shared ? ink : line.colour;
  if (line.spot == LabelSpot::along)
    wanted.alongs.push_back(
        {longest_slope(placed.strokes), line.label, placed.title, line.colour, line.bold, line.short_label});
  if (line.spot == LabelSpot::inside)
    wanted.insides.push_back({placed.strokes.back().back(),
                              line.label,
                              placed.title,
                              label_colour,
                              line.bold,
                              {},
                              line.short_label,
                              placed.strokes.back().front().x});
  if (line.spot == LabelSpot::right && !line.label.empty()) {
    const Point end = placed.strokes.back().back();
    if (l.plot.right - end.x > 0.12 * l.plot.width()) // a leader to the margin would cross the longer lines
      wanted.dots.push_back({end, 4, line.label, placed.title, line.colour, line.bold});
    else
      wanted.ends.push_back({end, line.label, placed.title, label_colour, line.bold, line.sample, "", 0,
                             !line.name.empty() && line.label == line.name});
  }
  l.lines.push_back(std::move(placed));
}

void add_dot(Layout& l, Wanted& wanted, const ChartDot& dot, std::size_t index, const Mapping& map) {
  const Point at = map(dot.at);
  if (!finite(at) || !map.plot.holds(at)) return;
  PlacedDot placed;
  placed.at = at, placed.shape = dot.shape, placed.colour = dot.colour, placed.filled = dot.filled;
  placed.warning = dot.warning, placed.radius = dot.radius, placed.title = dot.title;
  placed.grade = dot.grade;
  placed.whisker = upright(dot.at.x, dot.low, dot.high, map);
  if (dot.dropped) placed.dropped = Segment{at, {at.x, map.plot.bottom}};
  if (!dot.label.empty())
    wanted.dots.push_back({at, dot.radius, dot.label, dot.title, dot.label_colour, dot.warning, dot.dropped,
                           index, dot.step, dot.is_numbered});
  l.dots.push_back(std::move(placed));
}

void add_bar(Layout& l, Wanted& wanted, const Bar& bar, const Mapping& map) {
  const double foot = map.y.scale == Scale::linear ? std::clamp(0.0, map.y.low, map.y.high) : map.y.low;
  const Point a = map({bar.x - bar.width / 2, foot}), b = map({bar.x + bar.width / 2, bar.value});
  if (!finite(a) || !finite(b)) return;
  const Rect rect{a.x, std::clamp(std::min(a.y, b.y), map.plot.top, map.plot.bottom), b.x,
                  std::clamp(std::max(a.y, b.y), map.plot.top, map.plot.bottom)};
  l.bars.push_back(
      {rect, upright(bar.x, bar.low, bar.high, map), bar.colour, bar.fill, bar.title, bar.grade});
  const double top = l.bars.back().whisker ? std::min(l.bars.back().whisker->b.y, rect.top) : rect.top;
  if (!bar.label.empty())
    wanted.bars.push_back({{(rect.left + rect.right) / 2, top}, 0.5, bar.label, bar.title, ink});
}

} // namespace perfmodel::plots
