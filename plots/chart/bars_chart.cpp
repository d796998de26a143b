#include "lines_chart.hpp"

#include "density.hpp"
#include "grade.hpp"
#include "palette.hpp"
#include "sweep_drawing.hpp"

#include "models/core/quantity_text.hpp"
#include "plots/layout/ticks.hpp" // power_of_ten

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr double group_share = 0.8;     // of the room a category has
constexpr std::size_t told_bars = 16;   // bars that still get their value written above
constexpr std::size_t upright_from = 3; // bars in a group from which on values may have to stand upright
// Beside a bar so many times as high none is left of it to compare.
constexpr double decades = 50;

bool spans_decades(const SweepDrawing& d) {
  if (d.predicted.y.unit.symbol == "fraction") return false; // shares of one whole are compared by length
  double least = absent, most = absent;
  for (const SweepSeries& s : d.predicted.series)
    for (const SweepRow& r : s.rows) {
      if (!(r.y > 0)) return false; // what a logarithm does not have
      least = std::fmin(least, r.y), most = std::fmax(most, r.y);
    }
  return most >= decades * least;
}

// A logarithmic axis has no zero for bars to stand on: they stand half a decade or more below the least.
void give_least_a_bar(ChartAxis& axis) {
  const double least = axis.low;
  axis.scale = Scale::log10;
  axis.low = std::pow(10, std::floor(std::log10(least) - 0.5));
}

// Of a logarithmic axis: above the tallest bar as well.
void leave_room_for_values(ChartAxis& axis) { axis.high *= std::pow(axis.high / axis.low, 0.45); }

// The axis has the unit, but one of many decades has a prefix at each tick. A number of many digits is wider
// than its bar.
std::string value_above(double value, const Unit& unit, const ChartAxis& axis) {
  constexpr double many_digits = 1e5;
  if (!axis.symbol.empty()) return format_quantity(value, unit, Prefix::si, 3);
  if (axis.scale == Scale::log10 && unit.symbol.empty() && value >= many_digits) {
    const double step = std::pow(10, std::floor(std::log10(value)) - 2);
    return power_of_ten(std::round(value / step) * step);
  }
  return format_quantity(value / axis.unit, {}, Prefix::si, 3);
}
} // namespace

bool too_many_bars(const Result& predicted, const ChartChoice& choice) {
  return !predicted.tables.empty() && charted_table(predicted, choice).rows() > most_bars;
}

Chart bars_chart(const Result& predicted, const std::vector<Result>& measured, const ChartChoice& choice) {
  ChartChoice bars = choice;
  bars.kind = ChartKind::bars;
  if (too_many_bars(predicted, choice)) return lines_chart(predicted, measured, choice);
  const SweepDrawing d = read_sweeps(predicted, measured, bars);
  bars.log_y = bars.log_y || spans_decades(d);
  Chart chart = framed(d, predicted, bars);
  std::size_t count = 0;
  for (const SweepSeries& s : d.predicted.series) count += s.rows.size();
  if (bars.log_y) give_least_a_bar(chart.y);
  if (bars.log_y && count <= told_bars && d.names.size() > upright_from) leave_room_for_values(chart.y);
  const double width = group_share / static_cast<double>(std::max<std::size_t>(1, d.names.size()));
  const auto shift = [&](const std::string& series) {
    return (static_cast<double>(d.place(series)) + 0.5) * width - group_share / 2;
  };
  for (const SweepSeries& s : d.predicted.series)
    for (const SweepRow& r : s.rows) {
      Bar bar;
      bar.x = r.x + shift(s.name), bar.width = width * 0.92, bar.value = r.y;
      bar.low = r.low, bar.high = r.high;
      bar.colour = series_colour(d.place(s.name)), bar.fill = series_fill(d.place(s.name));
      bar.grade = r.grade, bar.title = d.text(s.name, r);
      if (count <= told_bars) bar.label = value_above(r.y, d.predicted.y.unit, chart.y);
      chart.bars.push_back(std::move(bar));
    }
  add_roof(chart, d);
  add_dots(chart, d, measured_dots(d), shift, {});
  for (ChartDot& dot : chart.dots) dot.colour = ink; // the bar behind has the series' colour
  if (d.names.size() > 1 || d.has_measured())
    for (const std::string& name : d.names)
      chart.legend.push_back({.text = name.empty() ? "predicted" : name,
                              .colour = series_colour(d.place(name)),
                              .bar = true,
                              .fill = series_fill(d.place(name))});
  if (d.has_measured()) chart.legend.push_back({.text = d.beside, .marker = true});
  add_grade_legend(chart);
  return chart;
}

} // namespace perfmodel::plots
