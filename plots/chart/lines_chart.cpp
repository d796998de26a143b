#include "lines_chart.hpp"

#include "palette.hpp"
#include "sweep_drawing.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr std::size_t marked = 60; // points of a series that still get a mark, and with it a tooltip
constexpr std::size_t told_apart =
    30; // series that colour and dash tell apart; further ones need their shape

// A mark at each point of a short series: where the line bends is where the model was asked.
void add_marks(Chart& chart, const SweepDrawing& d, const SweepSeries& s, bool hollow) {
  if (s.rows.size() > marked && !hollow) return;
  if (!hollow && !d.measured.empty() && s.rows.size() > 1) return; // the measured points have tooltips
  const std::size_t place = d.place(s.name);
  for (const SweepRow& r : s.rows) {
    ChartDot dot;
    dot.at = {r.x, r.y}, dot.low = r.low, dot.high = r.high;
    const bool shaped = hollow || d.names.size() > told_apart;
    dot.colour = series_colour(place), dot.shape = shaped ? series_shape(place) : Shape::dot;
    dot.filled = !hollow, dot.radius = hollow ? 4.5 : s.rows.size() == 1 || shaped ? 4 : 2.2;
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

std::vector<Point> points_of(const SweepSeries& s, const ChartChoice& choice) {
  std::vector<Point> points;
  if (choice.steps && !choice.log_x && s.rows.size() > 1) { // the first tread, as wide as the second
    const double first = s.rows[0].x, before = 2 * first - s.rows[1].x;
    points.push_back({std::min(first, std::max(0.0, before)), s.rows[0].y});
  }
  for (const SweepRow& r : s.rows) {
    if (choice.steps && !points.empty() && points.back().y != r.y) points.push_back({points.back().x, r.y});
    points.push_back({r.x, r.y});
  }
  if (points.size() == 1) points.push_back(points.front()); // its label still needs an end
  return points;
}

ChartLine line_of(const SweepDrawing& d, const SweepSeries& s, const ChartChoice& choice, bool are_measured) {
  const std::size_t place = d.place(s.name);
  ChartLine line;
  line.points = points_of(s, choice);
  line.colour = series_colour(place), line.dash = series_dash(place);
  line.width = are_measured ? 1 : 2;
  line.title = s.name;
  if (s.name.empty()) return line;
  line.label = s.name, line.spot = LabelSpot::right;
  // Where lines end together, a label's colour alone would tell which is which.
  if (d.predicted.series.size() > 1)
    line.sample = LegendEntry{.text = "",
                              .colour = line.colour,
                              .line = true,
                              .marker = are_measured || !d.measured.empty() || d.names.size() > told_apart,
                              .filled = !are_measured && d.measured.empty(),
                              .dash = line.dash,
                              .shape = series_shape(place)};
  return line;
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
    chart.lines.push_back(line_of(d, s, choice, are_measured));
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
