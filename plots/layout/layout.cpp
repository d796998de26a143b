#include "layout.hpp"

#include "frame.hpp"
#include "marks.hpp"
#include "narrow.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace perfmodel::plots {

namespace {
void check(const ChartAxis& axis) {
  const bool log = axis.scale == Scale::log2 || axis.scale == Scale::log10;
  if (!std::isfinite(axis.low) || !std::isfinite(axis.high) || axis.low >= axis.high ||
      (log && axis.low <= 0) || !(axis.unit > 0))
    throw InputError(fmt::format("cannot draw an axis from {} to {}", axis.low, axis.high));
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
  for (const PlacedArrow& arrow : l.arrows) {
    for (std::size_t i = 0; i < 3; ++i) out.add(Segment{arrow.head[i], arrow.head[(i + 1) % 3]});
    if (arrow.shaft) out.add(*arrow.shaft);
  }
  for (const PlacedCells& cells : l.cells)
    for (const Rect& run : cells.runs) out.add(quad_of(run));
  for (const PlacedBar& bar : l.bars) {
    out.add(quad_of(bar.rect));
    if (bar.whisker) out.add(*bar.whisker);
  }
  return out;
}

Layout arrange(const Chart& chart, Size size, bool names_first) {
  Layout l = frame(chart, size);
  if (l.plot.width() < 80 || l.plot.height() < 60)
    throw NoRoom(fmt::format("{} x {} px is too small for this chart", size.width, size.height));
  const Mapping map{chart.x, chart.y, l.plot};
  Wanted wanted;
  for (const Region& region : chart.regions) add_region(l, wanted, region, map);
  for (const Density& density : chart.densities) add_density(l, density, map);
  for (const Bar& bar : chart.bars) add_bar(l, wanted, bar, map);
  const double column = column_of(chart, l.plot.width());
  for (const ChartLine& line : chart.lines) add_line(l, wanted, line, map, column);
  for (const ChartArrow& arrow : chart.arrows) add_arrow(l, arrow, map);
  for (std::size_t i = 0; i < chart.dots.size(); ++i) add_dot(l, wanted, chart.dots[i], i, map);

  Obstacles obstacles = obstacles_of(l);
  place_end_labels(l, wanted.ends);
  place_step_labels(l, obstacles, wanted.dots); // lines are long enough to be named elsewhere
  place_inside(l, obstacles, wanted.insides);
  std::stable_partition(wanted.dots.begin(), wanted.dots.end(), [](const DotLabel& d) { return d.dropped; });
  if (!names_first) place_along(l, obstacles, wanted.alongs);
  l.bars_without_value = place_above(l, obstacles, wanted.bars, chart.y.label);
  place_dot_labels(l, obstacles, wanted.dots);
  if (names_first) place_along(l, obstacles, wanted.alongs);
  // The regions have the most room to choose from.
  place_region_labels(l, obstacles, wanted.regions);
  return l;
}

// The same with an axis that ends higher, by a tenth of its length.
Chart with_headroom(Chart chart) {
  constexpr double more = 0.1;
  ChartAxis& y = chart.y;
  y.high =
      y.scale == Scale::linear ? y.high + more * (y.high - y.low) : y.high * std::pow(y.high / y.low, more);
  return chart;
}

// More names than these would crowd the lines' own names out.
constexpr int few_names = 15;

// Lines named before dots, or after: whichever leaves fewer labels without room, then fewer far from what
// they name.
Layout arrange_names(const Chart& chart, Size size) {
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

// The tallest bar has its value above it, too, though a roof or the end of the axis is near.
Layout arrange(const Chart& chart, Size size) {
  constexpr int most = 4; // further room is that of the bars
  Layout l = arrange_names(chart, size);
  Chart higher = chart;
  for (int i = 0; i < most && l.bars_without_value > 0; ++i) {
    higher = with_headroom(std::move(higher));
    Layout roomy = arrange_names(higher, size);
    if (roomy.bars_without_value < l.bars_without_value) l = std::move(roomy);
  }
  return l;
}

// Numbers that the notes have room to explain.
constexpr std::size_t most_numbers = 100;

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

Layout layout(const Chart& whole, Size size) {
  if (size.width < 320 || size.height < 200 || size.width > 20000 || size.height > 20000)
    throw InputError(
        fmt::format("a picture is 320 x 200 to 20000 x 20000 px, not {} x {}", size.width, size.height));
  check(whole.x);
  check(whole.y);
  const Chart chart = narrowed(whole, size.width);
  Layout l = arrange(chart, size);
  if (l.unplaced == 0) return l;
  // A name without room becomes a number, and the names stand below. The notes take room themselves.
  Chart numbered = chart;
  if (l.unnamed.size() <= most_numbers) {
    numbered = number_names(chart, l.unnamed);
    l = arrange(numbered, size);
  }
  // A narrow picture has no room to say so either.
  for (int round = 0; l.unplaced > 0 && round < 3 && size.width >= narrow_width; ++round) {
    const int said = l.unplaced;
    Chart noted = numbered;
    noted.notes.push_back(fmt::format("{} no room; the tooltips have them.",
                                      said == 1 ? "1 label found" : fmt::format("{} labels found", said)));
    l = arrange(noted, size);
    if (l.unplaced == said) break;
  }
  return l;
}

Size readable_size(const Chart& chart, Size size) {
  constexpr int step = 20, most = 2;  // px; times the height
  constexpr double least_share = 0.4; // of the height asked for, that the plot has
  const bool names_share_rows = narrowed(chart, size.width).names_share_rows;
  std::optional<Size> with_plot;
  for (Size higher = size; higher.height <= most * size.height; higher.height += step) try {
      const Layout l = layout(chart, higher);
      if (l.plot.height() < least_share * size.height) continue;
      if (!names_share_rows || l.unplaced == 0) return higher;
      if (!with_plot) with_plot = higher;
    } catch (const NoRoom&) { // legend and notes take more
    }
  return with_plot.value_or(size);
}

} // namespace perfmodel::plots
