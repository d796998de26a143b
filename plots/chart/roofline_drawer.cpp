#include "roofline_drawer.hpp"

#include "models/bounds/roofline.hpp"

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
    text += fmt::format(", {:.3g} % of roof", 100 * fraction);
  else
    text += ", attainable";
  if (drawable(point.predicted))
    text += drawable(point.measured) ? ", predicted " + rate_text(point.precision, point.predicted)
                                     : std::string(", predicted");
  if (drawable(point.low) && drawable(point.high))
    text += fmt::format(" ({} to {})", rate_text(point.precision, point.low),
                        rate_text(point.precision, point.high));
  return point.verdict.empty() ? text : text + ". " + point.verdict;
}
} // namespace

Paths upright_paths(const std::vector<PointRow>& points) {
  std::map<std::pair<std::string, std::string>, double> first;
  Paths several, leaning;
  for (const PointRow& p : points) {
    const auto [known, is_new] = first.try_emplace({p.gpu, p.path}, p.intensity);
    if (!is_new) several.insert(known->first);
    if (known->second != p.intensity) leaning.insert(known->first);
  }
  for (const auto& path : leaning) several.erase(path);
  return several;
}

PointSeries& PointDrawer::series_of(const PointRow& point) {
  const auto found = std::find_if(series.begin(), series.end(), [&](const PointSeries& s) {
    return s.gpu == point.gpu && s.precision == point.precision;
  });
  if (found != series.end()) return *found;
  const auto gpu = std::find(machine.gpus.begin(), machine.gpus.end(), point.gpu);
  // One device: a colour for each precision. Several: the colour is the device's, as its roof's.
  const std::size_t n = machine.gpus.size() > 1 && gpu != machine.gpus.end()
                            ? static_cast<std::size_t>(gpu - machine.gpus.begin())
                            : series.size();
  const bool taken = std::any_of(series.begin(), series.end(),
                                 [&](const PointSeries& s) { return s.shape == series_shape(n); });
  series.push_back({point.gpu, point.precision, series_colour(n),
                    taken ? series_shape(machine.gpus.size() + series.size()) : series_shape(n)});
  return series.back();
}

int PointDrawer::step_of(const PointRow& point, const ChartDot& dot) {
  PathEnd& last = paths[{point.gpu, point.path}];
  if (last.steps > 0 && !(last.at == dot.at))
    chart.arrows.push_back(
        {last.at, dot.at, last.radius, dot.radius, dot.colour,
         fmt::format("{} to {}: {:.3g} times the rate", last.name, point.name, dot.at.y / last.at.y)});
  last = {dot.at, dot.radius, point.name, last.steps + 1};
  return last.steps;
}

void PointDrawer::add(const PointRow& point) {
  const bool has_measured = drawable(point.measured), has_predicted = drawable(point.predicted);
  const double y = has_measured ? point.measured : has_predicted ? point.predicted : point.attainable;
  if (!drawable(point.intensity) || !drawable(y)) {
    ++dropped;
    return;
  }
  PointSeries& s = series_of(point);
  const double roof = drawable(point.attainable) ? point.attainable : machine.limit(point);
  const double fraction = y / roof;
  ChartDot dot;
  dot.at = {point.intensity, y}, dot.colour = s.colour,
  dot.label = point.label.empty() ? point.name : point.label;
  const bool reached = has_measured || has_predicted;
  dot.shape = reached ? s.shape : Shape::dot;
  dot.filled = !has_measured, dot.radius = has_measured ? 5 : 4;
  if (!point.path.empty()) dot.radius -= 1; // steps may be close
  dot.warning = reached && fraction > above_roof;
  if (drawable(point.low) && drawable(point.high)) dot.low = point.low, dot.high = point.high;
  dot.title = tooltip(point, y, reached ? fraction : absent);
  dot.label_colour = dot.warning ? alarm : machine.gpus.size() > 1 ? s.colour : ink;
  if (dot.warning) {
    ++above;
    if (!dot.label.empty() || ++unnamed_above <= 3)
      dot.label += fmt::format("{}{:.0f} %", dot.label.empty() ? "" : ", ", 100 * fraction);
  }
  s.measured |= has_measured && !dot.warning;
  const bool on_arrows = !point.path.empty() && upright.count({point.gpu, point.path}) > 0;
  const bool both = has_measured && has_predicted && !on_arrows;
  s.predicted |= both || (has_predicted && !has_measured && !dot.warning);
  s.attainable |= !reached;
  s.whiskers |= std::isfinite(dot.low);
  if (!point.path.empty()) dot.step = step_of(point, dot);
  ChartDot predicted = dot;
  chart.dots.push_back(std::move(dot));
  if (!both) return;
  predicted.at.y = point.predicted, predicted.low = predicted.high = absent;
  predicted.shape = Shape::dot, predicted.filled = true, predicted.warning = false;
  predicted.radius = inner_radius, predicted.step = 0, predicted.label.clear();
  chart.dots.push_back(std::move(predicted));
}

} // namespace perfmodel::plots
