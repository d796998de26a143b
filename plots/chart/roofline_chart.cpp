#include "roofline_chart.hpp"

#include "grade.hpp"
#include "roofline_ceilings.hpp"
#include "roofline_points.hpp"
#include "roofline_text.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>

namespace perfmodel::plots {

namespace {
// How many octaves an axis grows for points beyond the hardware; what lies farther is a slip of the pen.
constexpr int most_growth = 12;

double octave_below(double v, double unit) {
  return std::ldexp(unit, static_cast<int>(std::floor(std::log2(v / unit) + 1e-9)));
}
double octave_above(double v, double unit) {
  return std::ldexp(unit, static_cast<int>(std::ceil(std::log2(v / unit) - 1e-9)));
}

struct Span {
  double low = INFINITY, high = 0;
  void add(double v) {
    if (!std::isfinite(v) || v <= 0) return;
    low = std::min(low, v), high = std::max(high, v);
  }
};

// 1/16 to 1024 flop/B, wider where the hardware's ridges need it.
void set_x(ChartAxis& x, const RooflineMachine& m) {
  x.scale = Scale::log2;
  x.low = 1.0 / 16, x.high = 1024;
  for (const std::string& gpu : m.gpus) {
    const double beta = m.slope(gpu).bandwidth;
    for (const ComputeRow& row : m.tables.compute) {
      if (row.gpu != gpu || (m.gpus.size() > 1 && &row != &m.roof(gpu))) continue;
      x.low = std::min(x.low, octave_below(row.rate / beta / 4, 1));
      x.high = std::max(x.high, octave_above(row.rate / beta * 2, 1));
    }
  }
}

const char* operation(const RooflineMachine& m) { return counts_integers(m.precision) ? "op" : "flop"; }

// From where the slopes enter the picture to above the highest roof, in the prefix that suits the middle.
void set_y(ChartAxis& y, const ChartAxis& x, const RooflineMachine& m) {
  Span span;
  for (const std::string& gpu : m.gpus) {
    span.add(m.slope(gpu).bandwidth * x.low);
    for (const ComputeRow& row : m.tables.compute)
      if (row.gpu == gpu && (m.gpus.size() == 1 || &row == &m.roof(gpu))) span.add(row.rate);
  }
  const double middle = std::sqrt(span.low) * std::sqrt(span.high);
  int step = std::clamp(static_cast<int>(std::floor(std::log10(middle) / 3)), 0, 6);
  if (step < 6 && span.high > 10000 * std::pow(1000.0, step)) ++step; // 1/128 reads better than 131072
  constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  y.scale = Scale::log2;
  y.unit = std::pow(1000.0, step);
  y.label = fmt::format("Performance [{}{}/s]", prefixes[step], operation(m));
  y.low = octave_below(span.low, y.unit);
  y.high = octave_above(span.high * 1.15, y.unit);
}

// In whole powers of two, so that axes of pictures with and without the points still line up.
void grow(ChartAxis& axis, const Span& points) {
  if (points.high == 0) return;
  const double least = std::ldexp(axis.low, -most_growth), most = std::ldexp(axis.high, most_growth);
  if (points.low < axis.low) axis.low = octave_below(std::max(points.low, least), axis.unit);
  if (points.high > axis.high) axis.high = octave_above(std::min(points.high, most), axis.unit);
}

std::string x_label(const RooflineMachine& m, const std::vector<PointRow>& points) {
  std::vector<std::string> levels;
  for (const PointRow& p : points)
    if (!p.level.empty() && std::find(levels.begin(), levels.end(), p.level) == levels.end())
      levels.push_back(p.level);
  if (levels.size() < 2)
    return fmt::format("Arithmetic intensity [{}/B], bytes counted at {}", operation(m), level_text(m.level));
  std::string names;
  for (const std::string& level : levels) names += (names.empty() ? "" : ", ") + level_text(level);
  return fmt::format("Arithmetic intensity [{}/B], bytes counted at each point's level ({})", operation(m),
                     names);
}

std::string title_of(const RooflineMachine& m) {
  if (m.is_crowded()) return fmt::format("Roofline of {} GPUs, {}", m.gpus.size(), m.precision);
  std::string names;
  for (const std::string& gpu : m.gpus) names += (names.empty() ? "" : ", ") + gpu;
  return fmt::format("Roofline of {}, {}", names.empty() ? "a GPU" : names, m.precision);
}

void note_far_points(Chart& chart, std::size_t counted) {
  const auto outside = [&](Point p) {
    return p.x < chart.x.low || p.x > chart.x.high || p.y < chart.y.low || p.y > chart.y.high;
  };
  const auto far = [&](const ChartDot& d) { return outside(d.at); };
  std::erase_if(chart.arrows, [&](const ChartArrow& a) { return outside(a.from) || outside(a.to); });
  const std::size_t count =
      counted + static_cast<std::size_t>(std::count_if(chart.dots.begin(), chart.dots.end(), far));
  chart.dots.erase(std::remove_if(chart.dots.begin(), chart.dots.end(), far), chart.dots.end());
  if (count > 0)
    chart.notes.push_back(fmt::format("{} over {} octaves off the hardware's range: not drawn.",
                                      count == 1 ? "1 point lies" : fmt::format("{} points lie", count),
                                      most_growth));
}

void add_line_legend(Chart& chart) {
  const auto has = [&](Dash dash) {
    return std::any_of(chart.lines.begin(), chart.lines.end(),
                       [&](const ChartLine& l) { return l.dash == dash; });
  };
  std::vector<LegendEntry> entries{{.text = "roof", .line = true}};
  if (has(Dash::dashed))
    entries.push_back({.text = "other ceiling", .colour = grey, .line = true, .dash = Dash::dashed});
  if (has(Dash::dotted))
    entries.push_back({.text = "measured ceiling", .colour = grey, .line = true, .dash = Dash::dotted});
  chart.legend.insert(chart.legend.begin(), entries.begin(), entries.end());
}
} // namespace

Chart roofline_chart(const Result& predicted, const std::vector<Result>& measured,
                     const std::string& precision) {
  std::vector<PointRow> points;
  for (const Result& result : measured)
    for (PointRow& point : read_points(result)) points.push_back(std::move(point));
  RooflineMachine m = machine_of(predicted, points, precision);
  if (m.gpus.empty())
    throw InputError("a roofline needs a device with both a compute and a bandwidth ceiling");
  points.insert(points.begin(), std::make_move_iterator(m.tables.kernels.begin()),
                std::make_move_iterator(m.tables.kernels.end()));
  m.tables.kernels.clear();

  Chart chart;
  chart.title = title_of(m);
  set_x(chart.x, m);
  set_y(chart.y, chart.x, m);
  chart.x.label = x_label(m, points);
  Span xs, ys;
  for (const PointRow& p : points) {
    const double y = std::isfinite(p.measured)    ? p.measured
                     : std::isfinite(p.predicted) ? p.predicted
                                                  : p.attainable;
    if (!(p.intensity > 0) || !(y > 0)) continue;
    xs.add(p.intensity), ys.add(y), ys.add(p.predicted);
  }
  grow(chart.x, xs);
  grow(chart.y, ys);

  if (m.gpus.size() == 1)
    add_device(chart, m);
  else
    add_devices(chart, m);
  if (m.gpus.size() == 1) add_line_legend(chart);
  note_far_points(chart, add_points(chart, m, points));
  add_grade_legend(chart);
  for (const std::string& gpu : m.gpus)
    if (!m.bandwidth(gpu, m.level))
      chart.notes.push_back(fmt::format("No bandwidth of {}'s {} is known: that of {} is shown.", gpu,
                                        level_text(m.level), m.slope(gpu).ceiling));
  for (const std::string& gpu : m.gpus)
    if (!m.rate(gpu, m.precision))
      chart.notes.push_back(fmt::format("No {} rate of {} is in this answer: its {} roof is shown.",
                                        m.precision, gpu, m.roof(gpu).ceiling));
  if (m.gpus.size() > 1) {
    std::set<std::string> others; // whose roofs are not drawn
    for (const PointRow& point : points)
      if (!point.precision.empty() && point.precision != m.precision) others.insert(point.precision);
    if (!others.empty())
      chart.notes.push_back(
          fmt::format("Of several devices the roofs of {} alone are drawn: points of {} have others.",
                      m.precision, fmt::join(others, ", ")));
  }
  return chart;
}

} // namespace perfmodel::plots
