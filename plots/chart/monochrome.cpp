#include "monochrome.hpp"

#include "palette.hpp"

#include <algorithm>
#include <map>

namespace perfmodel::plots {

namespace {

constexpr double marker_radius = 4;
constexpr std::size_t markers_of_a_line = 12; // more would hide its dashes

// Black bars alone would be a lot of ink.
Fill bar_fill(int colour) {
  constexpr Fill order[] = {Fill::pale, Fill::solid, Fill::rising, Fill::crossed, Fill::falling, Fill::solid};
  return order[colour % colour_count];
}

Shape marker_of(int colour) { return series_shape(static_cast<std::size_t>(colour)); }

// Marks of predicted values are small round dots in the colour of their series, whichever it is. False where
// there is one series, or none.
bool mark_dots(std::vector<ChartDot>& dots) {
  const auto is_plain = [](const ChartDot& d) { return d.shape == Shape::dot && d.colour >= 0; };
  std::map<int, std::size_t> count, seen;
  for (const ChartDot& dot : dots)
    if (is_plain(dot)) ++count[dot.colour];
  if (count.size() < 2) return false;
  for (ChartDot& dot : dots) {
    if (!is_plain(dot)) continue;
    const std::size_t every = (count[dot.colour] + markers_of_a_line - 1) / markers_of_a_line;
    const std::size_t shift = static_cast<std::size_t>(dot.colour) % every; // side by side where lines meet
    if (seen[dot.colour]++ % every == shift)
      dot.shape = marker_of(dot.colour), dot.radius = std::max(dot.radius, marker_radius);
  }
  return true;
}

// Lines named at their ends, each beside a sample of itself: those of a sweep.
bool shows_sample(const ChartLine& line) { return line.sample && line.sample->line; }

} // namespace

Chart monochrome(Chart chart) {
  if (std::any_of(chart.lines.begin(), chart.lines.end(), shows_sample) && mark_dots(chart.dots))
    for (ChartLine& line : chart.lines)
      if (shows_sample(line) && !line.sample->marker) {
        line.sample->marker = line.sample->filled = true;
        line.sample->shape = marker_of(line.colour), line.sample->radius = marker_radius;
      }
  for (Bar& bar : chart.bars) bar.fill = bar_fill(bar.colour);
  for (LegendEntry& entry : chart.legend)
    if (entry.bar && entry.colour >= 0) entry.fill = bar_fill(entry.colour);
  return chart;
}

} // namespace perfmodel::plots
