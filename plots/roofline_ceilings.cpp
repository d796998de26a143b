#include "roofline_ceilings.hpp"

#include "palette.hpp"

#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
// Ceilings this close are one line on the page, or two that cannot be told apart.
constexpr double same = 1.005, merged = 1.03, close = 1.15;

bool within(double a, double b, double factor) { return a <= b * factor && b <= a * factor; }

struct Flat {
  double rate;
  std::vector<std::string> names;
  bool measured, roof;
  std::string also; // rates too close to be a line of their own
};

// Equal rates share a line; a measured rate that would lie on its specified one is told in the tooltip only.
std::vector<Flat> flats_of(const RooflineMachine& m, const std::string& gpu) {
  const ComputeRow& roof = m.roof(gpu);
  std::vector<Flat> flats{{roof.rate, {roof.ceiling}, roof.basis == "measured", true, ""}};
  for (const bool measured : {false, true})
    for (const ComputeRow& row : m.tables.compute) {
      if (row.gpu != gpu || &row == &roof || (row.basis == "measured") != measured) continue;
      const auto twin = std::find_if(flats.begin(), flats.end(), [&](const Flat& f) {
        return within(f.rate, row.rate, measured && !f.measured ? merged : same);
      });
      if (twin == flats.end())
        flats.push_back({row.rate, {row.ceiling}, measured, false, ""});
      else if (twin->measured != measured)
        twin->also += fmt::format("; {} {}", row.ceiling, rate_text(row.rate));
      else if (std::find(twin->names.begin(), twin->names.end(), row.ceiling) == twin->names.end())
        twin->names.push_back(row.ceiling);
    }
  return flats;
}

std::string text_of(const Flat& flat) { return joined_names(flat.names) + " " + rate_text(flat.rate); }

void add_flats(Chart& chart, const RooflineMachine& m, const std::vector<Flat>& flats, double beta) {
  const double top = flats.front().rate;
  double highest = top;
  for (const Flat& flat : flats) {
    highest = std::max(highest, flat.rate);
    if (flat.roof) continue;
    const bool beside = flat.measured && std::any_of(flats.begin(), flats.end(), [&](const Flat& f) {
                          return !f.measured && within(f.rate, flat.rate, close);
                        });
    ChartLine line;
    line.points = {{flat.rate / beta, flat.rate}, {chart.x.high, flat.rate}};
    line.colour = grey, line.width = 1.3, line.dash = flat.measured ? Dash::dotted : Dash::dashed;
    line.label = text_of(flat);
    line.title = fmt::format("{}, ridge at {}{}", line.label, intensity_text(flat.rate / beta), flat.also);
    line.spot = beside ? LabelSpot::none : LabelSpot::right;
    chart.lines.push_back(std::move(line));
  }
  if (highest > top)
    chart.lines.push_back({{{top / beta, top}, {highest / beta, highest}},
                           "",
                           m.slope(m.gpus.front()).ceiling,
                           grey,
                           Dash::dashed,
                           1.3});
}

// "4.27 to 4.67 TB/s".
std::string range_text(double low, double high) {
  const Unit unit = unit_of<BytesPerSecond>();
  std::string from = format_quantity(low, unit, Prefix::si, 3),
              to = format_quantity(high, unit, Prefix::si, 3);
  const std::size_t space = from.find(' ');
  if (space != std::string::npos && to.size() > from.size() - space &&
      to.compare(to.size() - (from.size() - space), std::string::npos, from, space) == 0)
    from.resize(space);
  return from + " to " + to;
}

// Bandwidths of one level and basis that lie close together: largest first.
std::vector<std::vector<const BandwidthRow*>> slope_groups(const RooflineMachine& m, const std::string& gpu) {
  std::vector<const BandwidthRow*> rows;
  for (const BandwidthRow& row : m.tables.bandwidth)
    if (row.gpu == gpu && &row != &m.slope(gpu)) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto* a, const auto* b) { return a->bandwidth > b->bandwidth; });
  std::vector<std::vector<const BandwidthRow*>> groups;
  for (const BandwidthRow* row : rows) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) {
      return g.front()->level == row->level && g.front()->basis == row->basis &&
             within(g.front()->bandwidth, row->bandwidth, close);
    });
    if (group == groups.end())
      groups.push_back({row});
    else
      group->push_back(row);
  }
  return groups;
}

// The other bandwidths up to the roof. Of a group only the ends are drawn, under one label.
void add_slopes(Chart& chart, const RooflineMachine& m, const std::string& gpu) {
  const double top = m.roof(gpu).rate, main = m.slope(gpu).bandwidth;
  double leftmost = top / main;
  for (const auto& group : slope_groups(m, gpu)) {
    const BandwidthRow &most = *group.front(), &least = *group.back();
    leftmost = std::min(leftmost, top / most.bandwidth);
    ChartLine line;
    line.colour = grey, line.width = 1.4, line.dash = most.basis == "measured" ? Dash::dotted : Dash::dashed;
    for (const BandwidthRow* row : group)
      line.title +=
          fmt::format("{}{} {} ({}), ridge at {}", line.title.empty() ? "" : "; ", row->ceiling,
                      bandwidth_text(row->bandwidth), row->basis, intensity_text(top / row->bandwidth));
    line.points = {{chart.x.low, chart.x.low * least.bandwidth}, {top / least.bandwidth, top}};
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

ChartLine roof_line(const Chart& chart, double beta, double top) {
  ChartLine line;
  line.points = {{chart.x.low, chart.x.low * beta}, {top / beta, top}, {chart.x.high, top}};
  line.width = 2.6, line.bold = true;
  return line;
}

ChartDot ridge_dot(double beta, double top, const std::string& name) {
  ChartDot dot;
  dot.at = {top / beta, top}, dot.filled = true, dot.radius = 4.5, dot.dropped = true;
  dot.label = name + intensity_text(top / beta);
  dot.title =
      fmt::format("{}: below it {} limits, above it {}", dot.label, bandwidth_text(beta), rate_text(top));
  return dot;
}

void add_regions(Chart& chart, double beta, double top) {
  const double ridge = top / beta, floor = chart.y.low;
  chart.regions.push_back(
      {{{chart.x.low, floor}, {chart.x.low, chart.x.low * beta}, {ridge, top}, {ridge, floor}},
       "memory-bound",
       fmt::format("memory-bound: under {} the bandwidth limits", intensity_text(ridge)),
       0});
  chart.regions.push_back(
      {{{ridge, floor}, {ridge, top}, {chart.x.high, top}, {chart.x.high, floor}},
       "compute-bound",
       fmt::format("compute-bound: over {} the arithmetic units limit", intensity_text(ridge)),
       1});
}
} // namespace

std::string rate_text(double v) { return format_quantity(v, unit_of<FlopsPerSecond>()); }
std::string bandwidth_text(double v) { return format_quantity(v, unit_of<BytesPerSecond>()); }
std::string intensity_text(double v) { return format_quantity(v, unit_of<FlopsPerByte>()); }

std::string level_text(const std::string& level) {
  if (level == "dram") return "DRAM";
  if (level == "l2") return "L2";
  if (level == "l1") return "L1";
  return level == "shared" ? "shared memory" : level;
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t space = names[i].find(' ');
    const std::string tail = space == std::string::npos ? "" : names[i].substr(space);
    const bool shared = i + 1 < names.size() && !tail.empty() && names[i + 1].size() > tail.size() &&
                        names[i + 1].compare(names[i + 1].size() - tail.size(), tail.size(), tail) == 0 &&
                        names[i + 1].find(' ') == names[i + 1].size() - tail.size();
    out += (i ? ", " : "") + (shared ? names[i].substr(0, space) : names[i]);
  }
  return out;
}

void add_device(Chart& chart, const RooflineMachine& m) {
  const std::string& gpu = m.gpus.front();
  const ComputeRow& roof = m.roof(gpu);
  const BandwidthRow& slope = m.slope(gpu);
  const double beta = slope.bandwidth, top = roof.rate;
  add_regions(chart, beta, top);
  const std::vector<Flat> flats = flats_of(m, gpu);
  add_flats(chart, m, flats, beta);
  add_slopes(chart, m, gpu);
  ChartLine line = roof_line(chart, beta, top);
  line.title =
      fmt::format("roof: {} {}, {} {}", roof.ceiling, rate_text(top), slope.ceiling, bandwidth_text(beta));
  ChartLine flat = line;
  flat.points.erase(flat.points.begin());
  line.points.pop_back();
  line.spot = LabelSpot::along, line.label = slope.ceiling + " " + bandwidth_text(beta);
  flat.spot = LabelSpot::right, flat.label = text_of(flats.front()), flat.title += flats.front().also;
  chart.lines.push_back(std::move(line));
  chart.lines.push_back(std::move(flat));
  chart.dots.push_back(ridge_dot(beta, top, "ridge "));
}

void add_devices(Chart& chart, const RooflineMachine& m) {
  const bool few = m.gpus.size() <= 3; // more ridge lines would be a fence
  for (std::size_t i = 0; i < m.gpus.size(); ++i) {
    const ComputeRow& roof = m.roof(m.gpus[i]);
    const BandwidthRow& slope = m.slope(m.gpus[i]);
    ChartLine line = roof_line(chart, slope.bandwidth, roof.rate);
    line.colour = series_colour(i), line.dash = series_dash(i), line.width = 2.2;
    line.title = fmt::format("{}: {} {}, {} {}, ridge {}", m.gpus[i], roof.ceiling, rate_text(roof.rate),
                             slope.ceiling, bandwidth_text(slope.bandwidth),
                             intensity_text(roof.rate / slope.bandwidth));
    ChartLine flat = line;
    flat.points.erase(flat.points.begin());
    line.points.pop_back();
    line.spot = LabelSpot::along, line.bold = false;
    line.label = m.gpus[i] + " " + bandwidth_text(slope.bandwidth);
    flat.spot = LabelSpot::right;
    flat.label = fmt::format("{} {} {}", m.gpus[i], roof.ceiling, rate_text(roof.rate));
    chart.lines.push_back(std::move(line));
    chart.lines.push_back(std::move(flat));
    ChartDot ridge = ridge_dot(slope.bandwidth, roof.rate, m.gpus[i] + " ridge ");
    ridge.colour = ridge.label_colour = series_colour(i), ridge.dropped = few;
    if (!few) ridge.label.clear();
    chart.dots.push_back(std::move(ridge));
  }
}

} // namespace perfmodel::plots
