#include "roofline_points.hpp"

#include "models/bounds/roofline.hpp"

#include "palette.hpp"
#include "roofline_tables.hpp"
#include "roofline_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace perfmodel::plots {

namespace {
// A device and a precision: the points of one colour and shape.
struct Series {
  std::string gpu, precision;
  int colour;
  Shape shape;
  bool measured = false, attainable = false, whiskers = false;
};

struct Drawer {
  Chart& chart;
  const RooflineMachine& machine;
  std::vector<Series> series{};
  int dropped = 0, above = 0, unnamed_above = 0;

  Series& series_of(const PointRow& point) {
    const auto found = std::find_if(series.begin(), series.end(), [&](const Series& s) {
      return s.gpu == point.gpu && s.precision == point.precision;
    });
    if (found != series.end()) return *found;
    const auto gpu = std::find(machine.gpus.begin(), machine.gpus.end(), point.gpu);
    // One device: a colour for each precision. Several: the colour is the device's, as its roof's.
    const std::size_t n = machine.gpus.size() > 1 && gpu != machine.gpus.end()
                              ? static_cast<std::size_t>(gpu - machine.gpus.begin())
                              : series.size();
    const bool taken = std::any_of(series.begin(), series.end(),
                                   [&](const Series& s) { return s.shape == series_shape(n); });
    series.push_back({point.gpu, point.precision, series_colour(n),
                      taken ? series_shape(machine.gpus.size() + series.size()) : series_shape(n)});
    return series.back();
  }

  void add(const PointRow& point) {
    const bool has_measured = drawable(point.measured);
    const double y = has_measured ? point.measured : point.attainable;
    if (!drawable(point.intensity) || !drawable(y)) {
      ++dropped;
      return;
    }
    Series& s = series_of(point);
    const double roof = drawable(point.attainable) ? point.attainable : machine.limit(point);
    const double fraction = y / roof;
    ChartDot dot;
    dot.at = {point.intensity, y}, dot.colour = s.colour,
    dot.label = point.label.empty() ? point.name : point.label;
    dot.shape = has_measured ? s.shape : Shape::dot;
    dot.filled = !has_measured, dot.radius = has_measured ? 5 : 4;
    dot.warning = has_measured && fraction > above_roof;
    if (drawable(point.low) && drawable(point.high)) dot.low = point.low, dot.high = point.high;
    dot.title = tooltip(point, y, has_measured ? fraction : absent);
    dot.label_colour = dot.warning ? alarm : machine.gpus.size() > 1 ? s.colour : ink;
    if (dot.warning) {
      ++above;
      if (!dot.label.empty() || ++unnamed_above <= 3)
        dot.label += fmt::format("{}{:.0f} %", dot.label.empty() ? "" : ", ", 100 * fraction);
    }
    s.measured |= has_measured && !dot.warning;
    s.attainable |= !has_measured;
    s.whiskers |= std::isfinite(dot.low);
    chart.dots.push_back(std::move(dot));
  }

  static std::string tooltip(const PointRow& point, double y, double fraction) {
    std::string text;
    for (const std::string& part : {point.name, point.gpu, point.precision, level_text(point.level)})
      if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
    text += fmt::format("{}{} at {}", text.empty() ? "" : ": ", rate_text(point.precision, y),
                        intensity_text(point.precision, point.intensity));
    if (std::isfinite(fraction))
      text += fmt::format(", {:.3g} % of roof", 100 * fraction);
    else
      text += ", attainable";
    if (drawable(point.low) && drawable(point.high))
      text += fmt::format(" ({} to {})", rate_text(point.precision, point.low),
                          rate_text(point.precision, point.high));
    return point.verdict.empty() ? text : text + ". " + point.verdict;
  }
};

// A thin line through the same kernel seen at several memory levels. The kernel is named at its last point,
// the levels at each.
void join_levels(Chart& chart, std::vector<PointRow>& points) {
  std::vector<PointRow*> rows;
  for (PointRow& p : points)
    if (!p.name.empty() && !p.level.empty() && drawable(p.intensity) && drawable(p.measured))
      rows.push_back(&p);
  const auto key = [](const PointRow* p) { return std::tie(p->gpu, p->precision, p->name); };
  std::stable_sort(rows.begin(), rows.end(), [&](const auto* a, const auto* b) {
    return key(a) != key(b) ? key(a) < key(b) : a->intensity < b->intensity;
  });
  for (std::size_t from = 0, to; from < rows.size(); from = to) {
    ChartLine line;
    bool levels = false;
    for (to = from; to < rows.size() && key(rows[to]) == key(rows[from]); ++to) {
      line.points.push_back({rows[to]->intensity, rows[to]->measured});
      levels |= rows[to]->level != rows[from]->level;
    }
    if (!levels) continue;
    line.colour = grey, line.width = 1, line.title = rows[from]->name + " at its memory levels";
    chart.lines.push_back(std::move(line));
    for (std::size_t i = from; i < to; ++i)
      rows[i]->label = (i + 1 == to ? rows[i]->name + ", " : "") + level_text(rows[i]->level);
  }
}

void add_legend(Chart& chart, const RooflineMachine& machine, const std::vector<Series>& series) {
  for (const Series& s : series) {
    std::string name = machine.gpus.size() > 1 ? s.gpu : "";
    if (!s.precision.empty()) name += (name.empty() ? "" : " ") + s.precision;
    if (!name.empty()) name += " ";
    if (s.measured)
      chart.legend.push_back(
          {.text = name + "measured", .colour = s.colour, .marker = true, .shape = s.shape});
    if (s.attainable)
      chart.legend.push_back({.text = name + "attainable",
                              .colour = s.colour,
                              .marker = true,
                              .filled = true,
                              .shape = Shape::dot});
  }
}
} // namespace

void add_points(Chart& chart, const RooflineMachine& machine, std::vector<PointRow> points) {
  join_levels(chart, points);
  Drawer drawer{chart, machine};
  for (const PointRow& point : points) drawer.add(point);
  add_legend(chart, machine, drawer.series);
  if (drawer.above > 0) {
    chart.legend.push_back(
        {.text = "above its roof", .marker = true, .warning = true, .shape = drawer.series.front().shape});
    chart.notes.push_back(
        fmt::format("{} above the roof: wrong precision or clock, bytes served by a cache, or "
                    "operations counted that were not done.",
                    drawer.above == 1 ? "1 point lies" : fmt::format("{} points lie", drawer.above)));
  }
  if (std::any_of(drawer.series.begin(), drawer.series.end(), [](const Series& s) { return s.whiskers; }))
    chart.notes.push_back("Bars reach from the low to the high end of the samples.");
  if (drawer.dropped > 0)
    chart.notes.push_back(
        fmt::format("{} without a positive intensity and rate: not drawn.",
                    drawer.dropped == 1 ? "1 point" : fmt::format("{} points", drawer.dropped)));
}

} // namespace perfmodel::plots
