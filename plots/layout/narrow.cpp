#include "narrow.hpp"

#include "font.hpp"
#include "frame.hpp"

#include <algorithm>

namespace perfmodel::plots {

namespace {
constexpr double most_margin = 0.2; // of the width

bool stands_in_margin(const ChartLine& line) { return line.spot == LabelSpot::right && !line.label.empty(); }

double margin_of(const Chart& chart) {
  double widest = 0;
  for (const ChartLine& line : chart.lines)
    if (stands_in_margin(line))
      widest =
          std::max(widest, text_width(line.label, label_size, line.bold) + (line.sample ? sample_width : 0));
  return widest;
}
} // namespace

Chart narrowed(Chart chart, int width) {
  if (width >= narrow_width || margin_of(chart) <= most_margin * width) return chart;
  std::vector<LegendEntry> moved;
  for (ChartLine& line : chart.lines) {
    if (!stands_in_margin(line)) continue;
    if (!line.sample) {
      line.spot = LabelSpot::inside;
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
