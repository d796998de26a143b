#include "lines_chart.hpp"

#include "palette.hpp"
#include "sweep_drawing.hpp"

#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr std::size_t few = 60; // points of a series that still get a mark, and with it a tooltip

// A mark at each point of a short series: where the line bends is where the model was asked.
void add_marks(Chart& chart, const SweepDrawing& d, const SweepSeries& s, bool hollow) {
  if (s.rows.size() > few && !hollow) return;
  const std::size_t place = d.place(s.name);
  for (const SweepRow& r : s.rows) {
    ChartDot dot;
    dot.at = {r.x, r.y}, dot.low = r.low, dot.high = r.high;
    dot.colour = series_colour(place), dot.shape = hollow ? series_shape(place) : Shape::dot;
    dot.filled = !hollow, dot.radius = hollow ? 4.5 : s.rows.size() == 1 ? 4 : 2.2;
    dot.title = d.text(s.name, r.x, r.y);
    chart.dots.push_back(std::move(dot));
  }
}

// Nothing was swept: every series is a single value at the same x.
bool is_one_x(const SweepDrawing& d) {
  double x = absent;
  for (const SweepSeries& s : d.predicted.series) {
    if (s.rows.size() != 1 || (!std::isnan(x) && s.rows.front().x != x)) return false;
    x = s.rows.front().x;
  }
  return !std::isnan(x);
}
} // namespace

Chart lines_chart(const Result& predicted, const std::vector<Result>& measured, const ChartChoice& choice) {
  ChartChoice lines = choice;
  lines.kind = ChartKind::lines;
  const SweepDrawing d = read_sweeps(predicted, measured, lines);
  if (is_one_x(d)) return bars_chart(predicted, measured, choice);
  Chart chart = framed(d, predicted, lines);
  const bool are_measured = predicted.kind == Kind::measured || predicted.kind == Kind::published;
  for (const SweepSeries& s : d.predicted.series) {
    if (s.rows.empty()) continue;
    ChartLine line;
    for (const SweepRow& r : s.rows) line.points.push_back({r.x, r.y});
    if (line.points.size() == 1) line.points.push_back(line.points.front()); // its label still needs an end
    line.colour = series_colour(d.place(s.name)), line.dash = series_dash(d.place(s.name));
    line.width = are_measured ? 1 : 2;
    line.title = s.name;
    if (!s.name.empty()) line.label = s.name, line.spot = LabelSpot::right;
    chart.lines.push_back(std::move(line));
    add_marks(chart, d, s, are_measured);
  }
  add_measured(chart, d, [](const std::string&) { return 0.0; });
  if (!d.measured.empty()) {
    const bool one = d.names.size() == 1;
    chart.legend.push_back(
        {.text = are_measured ? "joined" : "predicted", .colour = one ? 0 : grey, .line = true});
    chart.legend.push_back({.text = "measured", .colour = one ? 0 : grey, .marker = true});
  }
  return chart;
}

} // namespace perfmodel::plots
