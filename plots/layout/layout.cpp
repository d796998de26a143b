#include "layout.hpp"

#include "frame.hpp"
#include "marks.hpp"
#include "narrow.hpp"
#include "unnamed.hpp"
#include "without_room.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

// What is named before the lines that are not the roof: what is placed first has the best places.
struct Order {
  bool names = false;   // of dots
  bool regions = false; // and the line down to the x axis
};

Layout arrange(const Chart& chart, Size size, Order first) {
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
  place_numbers(l, obstacles, wanted.dots);
  const auto bold = std::stable_partition(wanted.insides.begin(), wanted.insides.end(),
                                          [](const EndLabel& label) { return label.bold; });
  place_inside(l, obstacles, {wanted.insides.begin(), bold});
  const auto dropped = std::stable_partition(wanted.dots.begin(), wanted.dots.end(),
                                             [](const DotLabel& d) { return d.dropped; });
  if (first.regions) {
    place_region_labels(l, obstacles, wanted.regions);
    place_dot_labels(l, obstacles, {wanted.dots.begin(), dropped});
    wanted.dots.erase(wanted.dots.begin(), dropped);
  }
  const auto name_lines = [&] {
    place_inside(l, obstacles, {bold, wanted.insides.end()});
    place_along(l, obstacles, wanted.alongs);
  };
  if (!first.names) name_lines();
  l.bars_without_value = place_above(l, obstacles, wanted.bars);
  place_dot_labels(l, obstacles, wanted.dots);
  if (first.names) name_lines();
  // The regions have the most room to choose from.
  if (!first.regions) place_region_labels(l, obstacles, wanted.regions);
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

int regions_without_name(const Chart& chart, const Layout& l) {
  return static_cast<int>(
      std::count_if(chart.regions.begin(), chart.regions.end(), [&](const Region& region) {
        return std::none_of(l.labels.begin(), l.labels.end(),
                            [&](const Text& label) { return label.text == region.label; });
      }));
}

// Lines named before dots, or after, and a narrow picture's regions before both: whichever leaves fewer
// labels without room, then fewer far from what they name.
Layout arrange_names(const Chart& chart, Size size) {
  const bool narrow = size.width < narrow_width;
  const auto cost = [&](const Layout& l) {
    const auto far =
        std::count_if(l.labels.begin(), l.labels.end(), [](const Text& t) { return t.halo && t.leader; });
    // A narrow picture has a note for the names of lines, and none for those of dots and regions.
    const int noted = narrow ? static_cast<int>(l.unnamed_lines.size()) : 0;
    const int nameless = narrow ? regions_without_name(chart, l) : 0;
    return 1000 * (l.unplaced - noted + nameless) + 100 * noted + static_cast<int>(far);
  };
  Layout best = arrange(chart, size, Order{});
  const auto named =
      std::count_if(chart.dots.begin(), chart.dots.end(), [](const ChartDot& d) { return !d.label.empty(); });
  if (cost(best) == 0 || named > few_names) return best;
  constexpr auto orders = std::to_array<Order>({{true, false}, {false, true}, {true, true}});
  for (const Order& order : orders) {
    if (order.regions && !narrow) continue; // there is room for them at last
    Layout other = arrange(chart, size, order);
    if (cost(other) < cost(best)) best = std::move(other);
  }
  return best;
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
constexpr int most_rounds = 6; // notes take room themselves, so that further names may have none

// With a note on what has no room and is named nowhere: a picture on paper may not lack it without a word.
// `told` lines are named in a note.
Layout with_rest_counted(const Chart& chart, Size size, Layout l, int told) {
  struct Rest {
    int labels = 0, values = 0;
    bool operator==(const Rest&) const = default;
  };
  const auto rest_of = [&](const Layout& of) {
    return Rest{of.unplaced - std::min(told, static_cast<int>(of.unnamed_lines.size())),
                of.bars_without_value};
  };
  for (int round = 0; round < 3; ++round) {
    const Rest rest = rest_of(l);
    if (rest == Rest{}) break;
    Chart noted = chart;
    if (rest.labels > 0) noted.notes.push_back(found_no_room(rest.labels, "label"));
    if (rest.values > 0) noted.notes.push_back(found_no_room(rest.values, "value", "", " above the bars"));
    l = arrange(noted, size);
    if (rest_of(l) == rest) break;
    if (rest_of(l) == Rest{}) { // all have room where the plot is a line lower: it is left empty
      noted = chart;
      noted.notes.emplace_back("\u00a0");
      l = arrange(noted, size);
    }
  }
  return l;
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
  if (l.unplaced == 0 && l.bars_without_value == 0) return l;
  // A name without room becomes a number, and the names stand below, in a narrow picture those of lines, too.
  const bool narrow = size.width < narrow_width;
  Unnamed unnamed;
  Chart noted = chart;
  for (int round = 0; round < most_rounds && l.unnamed.size() <= most_numbers; ++round) {
    const bool is_new = unnamed.add(l.unnamed);
    const std::vector<std::string> lines = narrow ? l.unnamed_lines : std::vector<std::string>{};
    if (!is_new && lines == unnamed.lines) break;
    unnamed.lines = lines;
    noted = unnamed.in(chart);
    l = arrange(noted, size);
  }
  // Notes may still take the room of what had some before: what is given up is told of in them.
  while (!l.unnamed.empty() && l.unnamed.size() <= most_numbers) {
    unnamed.give_up(l.unnamed);
    noted = unnamed.in(chart);
    l = arrange(noted, size);
  }
  l = with_rest_counted(noted, size, std::move(l), static_cast<int>(unnamed.lines.size()));
  l.unplaced += static_cast<int>(unnamed.nameless.size());
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
