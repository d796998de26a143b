#include "roofline_points.hpp"

#include "density.hpp"
#include "roofline_drawer.hpp"
#include "roofline_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace perfmodel::plots {

namespace {
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

// Points that are each a path of their own are those of a profile, in the order of their time: where they are
// many, the names of the first are told, and the others have theirs in their tooltips.
void name_the_first(Chart& chart, std::vector<PointRow>& points) {
  constexpr std::size_t most_named = 10;
  std::set<std::string> names;
  for (const PointRow& point : points)
    if (!point.name.empty() && point.path == point.name) names.insert(point.name);
  if (names.size() <= most_named) return;
  std::set<std::string> named;
  for (PointRow& point : points) {
    if (point.path != point.name) continue;
    if (named.size() < most_named || named.count(point.name) != 0)
      named.insert(point.name);
    else
      point.is_named = false;
  }
  chart.notes.push_back(
      fmt::format("Named: the {} of {} kernels that take most time.", most_named, names.size()));
}

// Of so many devices a kernel is named once, at its highest point.
void name_highest(std::vector<PointRow>& points) {
  const auto height = [](const PointRow& p) {
    return drawable(p.measured) ? p.measured : drawable(p.predicted) ? p.predicted : p.attainable;
  };
  std::map<std::string, PointRow*> highest;
  for (PointRow& point : points) {
    PointRow*& known = highest.try_emplace(point.name, &point).first->second;
    if (height(point) > height(*known)) known = &point;
    point.is_named = false;
  }
  for (auto& [name, point] : highest) point->is_named = true;
}

void add_legend(Chart& chart, const RooflineMachine& machine, const std::vector<PointSeries>& series) {
  const bool one_entry =
      machine.is_crowded() && std::all_of(series.begin(), series.end(), [&](const PointSeries& s) {
        return s.attainable && !s.measured && !s.predicted && s.precision == series.front().precision;
      });
  for (const PointSeries& s : series) {
    if (one_entry && &s != &series.front()) break; // the roof through a dot says whose it is
    std::string name = machine.gpus.size() > 1 && !one_entry ? s.gpu : "";
    if (!s.precision.empty()) name += (name.empty() ? "" : " ") + s.precision;
    if (!name.empty()) name += " ";
    if (s.measured)
      chart.legend.push_back(
          {.text = name + "measured", .colour = s.colour, .marker = true, .shape = s.shape});
    if (s.predicted && !s.measured)
      chart.legend.push_back(
          {.text = name + "predicted", .colour = s.colour, .marker = true, .filled = true, .shape = s.shape});
    if (s.attainable)
      chart.legend.push_back({.text = name + "attainable",
                              .colour = one_entry ? ink : s.colour,
                              .marker = true,
                              .filled = true,
                              .shape = Shape::dot});
  }
}

// The small dots inside measured points mean the same in every series.
void add_predicted_legend(Chart& chart, const std::vector<PointSeries>& series) {
  const auto both = [](const PointSeries& s) { return s.predicted && s.measured; };
  const auto first = std::find_if(series.begin(), series.end(), both);
  if (first == series.end()) return;
  const bool one = std::count_if(series.begin(), series.end(), both) == 1;
  chart.legend.push_back({.text = "predicted",
                          .colour = one ? first->colour : ink,
                          .marker = true,
                          .filled = true,
                          .shape = Shape::dot,
                          .radius = inner_radius});
}
} // namespace

std::size_t add_points(Chart& chart, const RooflineMachine& machine, std::vector<PointRow>& points) {
  const bool many = points.size() > most_dots;
  // Of so many no one follows a path from step to step or the levels of a kernel.
  if (!many) join_levels(chart, points);
  if (!many) name_the_first(chart, points);
  if (machine.is_crowded()) name_highest(points);
  const Paths upright = many ? Paths{} : upright_paths(points);
  PointDrawer drawer{chart, machine, upright};
  std::vector<std::optional<PlacedPoint>> placed;
  std::vector<DotPlace> dots;
  for (PointRow& point : points) {
    if (many) point.path.clear();
    placed.push_back(drawer.place(point));
    dots.push_back({{absent, absent}});
    if (placed.back())
      dots.back() = {{point.intensity, placed.back()->y},
                     placed.back()->warning ? alarm : drawer.series[placed.back()->series].colour,
                     placed.back()->measured ? Grade::known : point.grade};
  }
  const DotsApart apart = dots_apart(chart, dots);
  for (const std::size_t i : apart.drawn)
    if (placed[i]) drawer.add(points[i], *placed[i]);
  add_legend(chart, machine, drawer.series);
  add_predicted_legend(chart, drawer.series);
  if (drawer.above > 0) {
    chart.legend.push_back(
        {.text = "above its roof", .marker = true, .warning = true, .shape = drawer.series.front().shape});
    chart.notes.push_back(
        fmt::format("{} above the roof: wrong precision or clock, bytes served by a cache, or "
                    "operations counted that were not done.",
                    drawer.above == 1 ? "1 point lies" : fmt::format("{} points lie", drawer.above)));
  }
  if (std::any_of(drawer.series.begin(), drawer.series.end(),
                  [](const PointSeries& s) { return s.whiskers; }))
    chart.notes.push_back("Bars reach from the low to the high end of the samples.");
  if (drawer.dropped > 0)
    chart.notes.push_back(
        fmt::format("{} without a positive intensity and rate: not drawn.",
                    drawer.dropped == 1 ? "1 point" : fmt::format("{} points", drawer.dropped)));
  return apart.outside - (many ? static_cast<std::size_t>(drawer.dropped) : 0);
}

} // namespace perfmodel::plots
