#include "narrow.hpp"

#include "font.hpp"
#include "frame.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace perfmodel::plots {

namespace {
constexpr double most_margin = 0.2;    // of the width
constexpr std::size_t most_inside = 6; // names on lines: more would cover them

bool stands_in_margin(const ChartLine& line) { return line.spot == LabelSpot::right && !line.label.empty(); }

double margin_of(const Chart& chart) {
  double widest = 0;
  for (const ChartLine& line : chart.lines)
    if (stands_in_margin(line))
      widest =
          std::max(widest, text_width(line.label, label_size, line.bold) + (line.sample ? sample_width : 0));
  return widest;
}
// Of two lines at one height the bold one is named, else the first: a name below its line would seem that of
// the next one. Where both are roofs of devices, its name is that of both.
bool gives_way(const std::vector<ChartLine>& lines, std::size_t at) {
  const auto height = [&](std::size_t i) { return lines[i].points.back().y; };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == at || lines[i].label.empty() || lines[i].spot == LabelSpot::none || lines[i].points.empty())
      continue;
    if (lines[i].spot != LabelSpot::right && lines[i].spot != LabelSpot::inside) continue;
    if (std::fabs(height(i) / height(at) - 1) > 0.005) continue;
    if (lines[i].bold != lines[at].bold ? lines[i].bold : i < at) return true;
  }
  return false;
}

bool may_share_a_row(const ChartLine& line) { return stands_in_margin(line) && !line.name.empty(); }

// The ceilings that no point is held against, and the room above that they take.
void leave_out_spare(Chart& chart) {
  if (std::erase_if(chart.lines, [](const ChartLine& line) { return line.is_spare; }) == 0) return;
  chart.notes.push_back("Not drawn: the ceilings of precisions that no kernel has.");
  if (chart.y.scale != Scale::log2) return;
  double highest = 0;
  for (const ChartLine& line : chart.lines)
    for (const Point p : line.points) highest = std::fmax(highest, p.y);
  for (const ChartDot& dot : chart.dots) highest = std::fmax(highest, std::fmax(dot.at.y, dot.high));
  while (highest > 0 && chart.y.high >= 4 * highest) chart.y.high /= 2;
}

// Names alone, without values, several of them in a row of the margin.
void share_rows(Chart& chart) {
  chart.names_share_rows = true;
  for (ChartLine& line : chart.lines) {
    if (!may_share_a_row(line)) continue;
    line.label = line.name;
    if (!line.shared_label.empty()) line.shared_label = line.name;
  }
}
} // namespace

Chart narrowed(Chart chart, int width) {
  if (width >= narrow_width || margin_of(chart) <= most_margin * width) return chart;
  leave_out_spare(chart);
  if (static_cast<std::size_t>(std::count_if(chart.lines.begin(), chart.lines.end(), may_share_a_row)) >
      most_inside) {
    share_rows(chart);
    return chart;
  }
  std::vector<LegendEntry> moved;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    ChartLine& line = chart.lines[i];
    if (!stands_in_margin(line)) continue;
    if (!line.sample) {
      line.spot = gives_way(chart.lines, i) ? LabelSpot::none : LabelSpot::inside;
      if (!line.shared_label.empty()) line.label = line.short_label = line.shared_label;
      continue;
    }
    moved.push_back(*line.sample);
    moved.back().text = line.label;
    line.spot = LabelSpot::none;
  }
  if (chart.y.scale == Scale::log2) // room above the highest
    for (const ChartLine& line : chart.lines)
      while (line.spot == LabelSpot::inside && chart.y.high < 3 * line.points.back().y) chart.y.high *= 2;
  chart.legend.insert(chart.legend.begin(), moved.begin(), moved.end());
  return chart;
}

} // namespace perfmodel::plots
