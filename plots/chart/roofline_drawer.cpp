#include "roofline_drawer.hpp"

#include "models/bounds/roofline.hpp"

#include "grade.hpp"
#include "palette.hpp"
#include "roofline_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
std::string tooltip(const PointRow& point, double y, double fraction) {
  std::string text;
  for (const std::string& part : {point.name, point.gpu, point.precision, level_text(point.level)})
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  text += fmt::format("{}{} at {}", text.empty() ? "" : ": ", rate_text(point.precision, y),
                      intensity_text(point.precision, point.intensity));
  if (std::isfinite(fraction))
    text += fmt::format(", {} of roof", format_quantity(fraction, {"fraction", {}}));
  else
    text += ", attainable";
  if (drawable(point.predicted))
    text += drawable(point.measured) ? ", predicted " + rate_text(point.precision, point.predicted)
                                     : std::string(", predicted");
  if (drawable(point.low) && drawable(point.high))
    text += fmt::format(" ({} to {})", rate_text(point.precision, point.low),
                        rate_text(point.precision, point.high));
  text = with_grade(std::move(text), point.grade);
  return point.verdict.empty() ? text : text + ". " + point.verdict;
}
} // namespace

Paths upright_paths(const std::vector<PointRow>& points) {
  std::map<std::pair<std::string, std::string>, double> first;
  Paths several, leaning;
  for (const PointRow& p : points) {
    if (p.path.empty()) continue;
    const auto [known, is_new] = first.try_emplace({p.gpu, p.path}, p.intensity);
    if (!is_new) several.insert(known->first);
    if (known->second != p.intensity) leaning.insert(known->first);
  }
  for (const auto& path : leaning) several.erase(path);
  return several;
}

std::size_t PointDrawer::series_of(const PointRow& point) {
  const auto [known, is_new] = series_places.try_emplace({point.gpu, point.precision}, series.size());
  if (!is_new) return known->second;
  const auto gpu = std::find(machine.gpus.begin(), machine.gpus.end(), point.gpu);
  // One device: a colour for each precision. Several: the colour is the device's, as its roof's.
  const std::size_t n = machine.gpus.size() > 1 && gpu != machine.gpus.end()
                            ? static_cast<std::size_t>(gpu - machine.gpus.begin())
                            : series.size();
  const bool taken = (taken_shapes >> static_cast<unsigned>(series_shape(n)) & 1) != 0;
  series.push_back({point.gpu, point.precision, series_colour(n),
                    taken ? series_shape(machine.gpus.size() + series.size()) : series_shape(n)});
  taken_shapes |= 1u << static_cast<unsigned>(series.back().shape);
  return series.size() - 1;
}

double PointDrawer::roof_of(const PointRow& point) {
  if (drawable(point.attainable)) return point.attainable;
  const auto [known, is_new] = limits.try_emplace({point.gpu, point.precision, point.level});
  if (is_new) known->second = machine.limits(point);
  return known->second.at(point.intensity);
}

int PointDrawer::step_of(const PointRow& point, const ChartDot& dot) {
  PathEnd& last = paths[{point.gpu, point.path}];
  if (last.steps > 0 && !(last.at == dot.at))
    chart.arrows.push_back({last.at, dot.at, last.radius, dot.radius, dot.colour,
                            fmt::format("{} to {}: {} times the rate", last.name, point.name,
                                        format_quantity(dot.at.y / last.at.y, {}, Prefix::si, 3))});
  last = {dot.at, dot.radius, point.name, last.steps + 1};
  return last.steps;
}

std::optional<PlacedPoint> PointDrawer::place(const PointRow& point) {
  PlacedPoint p;
  p.measured = drawable(point.measured), p.predicted = drawable(point.predicted);
  p.y = p.measured ? point.measured : p.predicted ? point.predicted : point.attainable;
  if (!drawable(point.intensity) || !drawable(p.y)) {
    ++dropped;
    return std::nullopt;
  }
  p.series = series_of(point);
  p.fraction = p.y / roof_of(point);
  const bool reached = p.measured || p.predicted;
  p.warning = reached && p.fraction > above_roof;
  if (p.warning) ++above;
  const bool on_arrows = !point.path.empty() && upright.count({point.gpu, point.path}) > 0;
  p.both = p.measured && p.predicted && !on_arrows;
  PointSeries& s = series[p.series];
  s.measured |= p.measured && !p.warning;
  s.predicted |= p.both || (p.predicted && !p.measured && !p.warning);
  s.attainable |= !reached;
  return p;
}

void PointDrawer::add(const PointRow& point, const PlacedPoint& placed) {
  PointSeries& s = series[placed.series];
  const bool reached = placed.measured || placed.predicted;
  ChartDot dot;
  dot.at = {point.intensity, placed.y}, dot.colour = s.colour,
  dot.label = !point.is_named       ? ""
              : point.label.empty() ? point.name
                                    : point.label;
  dot.shape = reached ? s.shape : Shape::dot;
  dot.filled = !placed.measured, dot.radius = placed.measured ? 5 : 4;
  if (!placed.measured) dot.grade = point.grade;
  if (!point.path.empty()) dot.radius -= 1; // steps may be close
  dot.warning = placed.warning;
  if (drawable(point.low) && drawable(point.high)) dot.low = point.low, dot.high = point.high;
  dot.title = tooltip(point, placed.y, reached ? placed.fraction : absent);
  const bool is_of_device = machine.gpus.size() > 1 && !machine.is_crowded();
  dot.label_colour = dot.warning ? alarm : is_of_device ? s.colour : ink;
  if (dot.warning && (!dot.label.empty() || ++unnamed_above <= 3))
    dot.label += fmt::format("{}{:.0f} %", dot.label.empty() ? "" : ", ", 100 * placed.fraction);
  s.whiskers |= std::isfinite(dot.low);
  if (!point.path.empty()) dot.step = step_of(point, dot);
  ChartDot predicted = dot;
  chart.dots.push_back(std::move(dot));
  if (!placed.both) return;
  predicted.at.y = point.predicted, predicted.low = predicted.high = absent;
  predicted.shape = Shape::dot, predicted.filled = true, predicted.warning = false;
  predicted.grade = point.grade;
  predicted.radius = point.grade == Grade::known ? inner_radius : open_inner_radius;
  predicted.step = 0, predicted.label.clear();
  chart.dots.push_back(std::move(predicted));
}

} // namespace perfmodel::plots
