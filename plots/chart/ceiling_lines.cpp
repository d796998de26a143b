#include "ceiling_lines.hpp"

#include "grade.hpp"
#include "roofline_text.hpp"

#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::plots {

namespace {
// Ceilings this close are one line on the page, or two that cannot be told apart.
constexpr double same = 1.005, merged = 1.03, close = 1.15;
constexpr std::size_t longest_label = 40; // bytes

bool within(double a, double b, double factor) { return a <= b * factor && b <= a * factor; }

// Another level's bandwidth on the roof's line, as that of L1 is where it shares the banks of shared memory.
bool on_slope(const BandwidthRow& row, const BandwidthRow& slope) {
  return row.level != slope.level && within(row.bandwidth, slope.bandwidth, merged);
}

// Bandwidths of one level and basis that lie close together: largest first.
std::vector<std::vector<const BandwidthRow*>> slope_groups(const RooflineMachine& m, const std::string& gpu) {
  std::vector<const BandwidthRow*> rows;
  for (const BandwidthRow& row : m.tables.bandwidth)
    if (row.gpu == gpu && &row != &m.slope(gpu) && !on_slope(row, m.slope(gpu))) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto* a, const auto* b) { return a->bandwidth > b->bandwidth; });
  std::vector<std::vector<const BandwidthRow*>> groups;
  for (const BandwidthRow* row : rows) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) {
      return g.front()->level == row->level && g.front()->basis == row->basis &&
             g.front()->grade == row->grade && within(g.front()->bandwidth, row->bandwidth, close);
    });
    if (group == groups.end())
      groups.push_back({row});
    else
      group->push_back(row);
  }
  return groups;
}

// Whether a label with one name more is not too long for the margin.
bool has_room(Flat flat, const std::string& name) {
  flat.names.push_back(name);
  return text_of(flat).size() <= longest_label;
}
} // namespace

namespace {
bool is_spare(const RooflineMachine& m, const std::string& precision) {
  const std::vector<std::string>& points = m.precisions_of_points;
  return !points.empty() && std::find(points.begin(), points.end(), precision) == points.end();
}
} // namespace

std::vector<Flat> flats_of(const RooflineMachine& m, const std::string& gpu) {
  const ComputeRow& roof = m.roof(gpu);
  std::vector<Flat> flats{{roof.rate, {roof.ceiling}, roof.basis == "measured", true, "", roof.grade}};
  for (const bool measured : {false, true})
    for (const ComputeRow& row : m.tables.compute) {
      if (row.gpu != gpu || &row == &roof || (row.basis == "measured") != measured) continue;
      const auto twin = std::find_if(flats.begin(), flats.end(), [&](const Flat& f) {
        if (measured && !f.measured) return within(f.rate, row.rate, merged);
        return f.measured == measured && f.grade == row.grade && within(f.rate, row.rate, same) &&
               has_room(f, row.ceiling);
      });
      if (twin == flats.end()) {
        flats.push_back(
            {row.rate, {row.ceiling}, measured, false, "", row.grade, is_spare(m, row.precision)});
        continue;
      }
      twin->is_spare = twin->is_spare && is_spare(m, row.precision);
      if (twin->measured != measured)
        twin->also += fmt::format("; {} {}", row.ceiling, rate_text(row.ceiling, row.rate));
      else if (std::find(twin->names.begin(), twin->names.end(), row.ceiling) == twin->names.end())
        twin->names.push_back(row.ceiling);
    }
  return flats;
}

namespace {
// A line that integers share with others is told in flop.
const std::string& unit_name(const Flat& flat) {
  const auto other = std::find_if_not(flat.names.begin(), flat.names.end(),
                                      [](const std::string& name) { return counts_integers(name); });
  return other == flat.names.end() ? flat.names.front() : *other;
}
} // namespace

std::string text_of(const Flat& flat) {
  return joined_names(flat.names) + " " + rate_text(unit_name(flat), flat.rate);
}

std::string short_text_of(const Flat& flat) {
  return flat.names.front() + " " + rate_text(flat.names.front(), flat.rate);
}

void add_flats(Chart& chart, const RooflineMachine& m, const std::vector<Flat>& flats, double beta) {
  const double top = flats.front().rate;
  double highest = top;
  bool higher_are_spare = true;
  for (const Flat& flat : flats) {
    highest = std::max(highest, flat.rate);
    if (flat.roof) continue;
    if (flat.rate > top) higher_are_spare = higher_are_spare && flat.is_spare;
    const bool beside = flat.measured && std::any_of(flats.begin(), flats.end(), [&](const Flat& f) {
                          return !f.measured && within(f.rate, flat.rate, close);
                        });
    ChartLine line;
    line.points = {{flat.rate / beta, flat.rate}, {chart.x.high, flat.rate}};
    line.colour = grey, line.width = 1.3, line.dash = flat.measured ? Dash::dotted : Dash::dashed;
    line.label = text_of(flat), line.short_label = short_text_of(flat);
    line.grade = flat.grade, line.is_spare = flat.is_spare;
    line.title = with_grade(line.label, flat.grade) +
                 fmt::format(", ridge at {}{}", intensity_text(unit_name(flat), flat.rate / beta), flat.also);
    line.spot = beside ? LabelSpot::none : LabelSpot::right;
    chart.lines.push_back(std::move(line));
  }
  if (highest <= top) return;
  chart.lines.push_back({{{top / beta, top}, {highest / beta, highest}},
                         "",
                         m.slope(m.gpus.front()).ceiling,
                         grey,
                         Dash::dashed,
                         1.3});
  chart.lines.back().is_spare = higher_are_spare;
}

std::string also_on_slope(const RooflineMachine& m, const std::string& gpu) {
  std::string also;
  for (const BandwidthRow& row : m.tables.bandwidth)
    if (row.gpu == gpu && on_slope(row, m.slope(gpu)))
      also += fmt::format("; {} {}", row.ceiling, bandwidth_text(row.bandwidth));
  return also;
}

void add_slopes(Chart& chart, const RooflineMachine& m, const std::string& gpu) {
  const double top = m.roof(gpu).rate, main = m.slope(gpu).bandwidth;
  double leftmost = top / main;
  for (const auto& group : slope_groups(m, gpu)) {
    const BandwidthRow &most = *group.front(), &least = *group.back();
    leftmost = std::min(leftmost, top / most.bandwidth);
    ChartLine line;
    line.colour = grey, line.width = 1.4, line.dash = most.basis == "measured" ? Dash::dotted : Dash::dashed;
    for (const BandwidthRow* row : group)
      line.title += fmt::format("{}{} {} ({}), ridge at {}", line.title.empty() ? "" : "; ", row->ceiling,
                                bandwidth_text(row->bandwidth), row->basis,
                                intensity_text(m.roof(gpu).ceiling, top / row->bandwidth));
    line.points = {{chart.x.low, chart.x.low * least.bandwidth}, {top / least.bandwidth, top}};
    line.grade = most.grade, line.title = with_grade(std::move(line.title), line.grade);
    line.spot = LabelSpot::along;
    line.label = group.size() == 1 ? least.ceiling + " " + bandwidth_text(least.bandwidth)
                                   : fmt::format("{} {} {}", level_text(least.level), least.basis,
                                                 range_text(least.bandwidth, most.bandwidth));
    chart.lines.push_back(line);
    if (group.size() == 1) continue;
    line.points = {{chart.x.low, chart.x.low * most.bandwidth}, {top / most.bandwidth, top}};
    line.spot = LabelSpot::none;
    chart.lines.push_back(line);
  }
  if (leftmost < top / main)
    chart.lines.push_back({{{leftmost, top}, {top / main, top}}, "", "", grey, Dash::dashed, 1.3});
}

} // namespace perfmodel::plots
