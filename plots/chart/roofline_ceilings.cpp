#include "roofline_ceilings.hpp"

#include "ceiling_lines.hpp"
#include "grade.hpp"
#include "palette.hpp"
#include "roofline_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::plots {

namespace {
ChartLine roof_line(const Chart& chart, double beta, double top) {
  ChartLine line;
  line.points = {{chart.x.low, chart.x.low * beta}, {top / beta, top}, {chart.x.high, top}};
  line.width = 2.6, line.bold = true;
  return line;
}

ChartDot ridge_dot(const BandwidthRow& slope, const ComputeRow& roof, const std::string& name) {
  const double top = roof.rate, beta = slope.bandwidth;
  ChartDot dot;
  dot.grade = std::max(roof.grade, slope.grade);
  dot.at = {top / beta, top}, dot.filled = true, dot.radius = 4.5, dot.dropped = true;
  dot.label = name + intensity_text(roof.ceiling, top / beta);
  dot.title = fmt::format("{}: below it {} limits, above it {}", dot.label, bandwidth_text(beta),
                          rate_text(roof.ceiling, top));
  dot.title = with_grade(std::move(dot.title), dot.grade);
  return dot;
}

void set_grade(ChartLine& line, Grade grade) {
  line.grade = grade, line.title = with_grade(std::move(line.title), grade);
}

void add_regions(Chart& chart, double beta, const ComputeRow& roof) {
  const double top = roof.rate, ridge = top / beta, floor = chart.y.low;
  chart.regions.push_back(
      {{{chart.x.low, floor}, {chart.x.low, chart.x.low * beta}, {ridge, top}, {ridge, floor}},
       "memory-bound",
       fmt::format("memory-bound: under {} the bandwidth limits", intensity_text(roof.ceiling, ridge)),
       0});
  chart.regions.push_back(
      {{{ridge, floor}, {ridge, top}, {chart.x.high, top}, {chart.x.high, floor}},
       "compute-bound",
       fmt::format("compute-bound: over {} the arithmetic units limit", intensity_text(roof.ceiling, ridge)),
       1});
}
} // namespace

void add_device(Chart& chart, const RooflineMachine& m) {
  const std::string& gpu = m.gpus.front();
  const ComputeRow& roof = m.roof(gpu);
  const BandwidthRow& slope = m.slope(gpu);
  const double beta = slope.bandwidth, top = roof.rate;
  add_regions(chart, beta, roof);
  const std::vector<Flat> flats = flats_of(m, gpu);
  add_flats(chart, m, flats, beta);
  add_slopes(chart, m, gpu);
  ChartLine line = roof_line(chart, beta, top);
  line.title = fmt::format("roof: {} {}, {} {}", roof.ceiling, rate_text(roof.ceiling, top), slope.ceiling,
                           bandwidth_text(beta));
  ChartLine flat = line;
  flat.points.erase(flat.points.begin());
  line.points.pop_back();
  set_grade(line, slope.grade), set_grade(flat, roof.grade);
  line.title += also_on_slope(m, gpu);
  line.spot = LabelSpot::along, line.label = slope.ceiling + " " + bandwidth_text(beta);
  line.short_label = bandwidth_text(beta);
  flat.spot = LabelSpot::right, flat.label = text_of(flats.front()), flat.title += flats.front().also;
  flat.short_label = short_text_of(flats.front());
  chart.lines.push_back(std::move(line));
  chart.lines.push_back(std::move(flat));
  chart.dots.push_back(ridge_dot(slope, roof, "ridge "));
}

namespace {
// "h200, h100-sxm": the devices whose roofs are told alike, which lie on one another.
std::string names_at(const RooflineMachine& m, const std::string& rate) {
  std::string names;
  for (const std::string& gpu : m.gpus)
    if (rate_text(m.roof(gpu).ceiling, m.roof(gpu).rate) == rate) names += (names.empty() ? "" : ", ") + gpu;
  return names;
}

// Of so many roofs each rate is named once, and what else there is to say stands in the tooltips.
void name_rates_alone(std::vector<ChartLine>& lines, ChartLine& slope, ChartLine& flat, ChartDot& ridge) {
  slope.label.clear(), slope.spot = LabelSpot::none, ridge.label.clear();
  flat.label = flat.short_label, flat.bold = false;
  if (flat.shared_label.empty()) return;
  const bool is_named = std::any_of(lines.begin(), lines.end(), [&](const ChartLine& line) {
    return line.spot == LabelSpot::right && line.shared_label == flat.shared_label;
  });
  if (is_named)
    flat.label.clear(), flat.spot = LabelSpot::none;
  else
    flat.label = flat.shared_label;
}
} // namespace

void add_devices(Chart& chart, const RooflineMachine& m) {
  const bool few = m.gpus.size() <= 3; // more ridge lines would be a fence
  for (std::size_t i = 0; i < m.gpus.size(); ++i) {
    const ComputeRow& roof = m.roof(m.gpus[i]);
    const BandwidthRow& slope = m.slope(m.gpus[i]);
    ChartLine line = roof_line(chart, slope.bandwidth, roof.rate);
    line.colour = series_colour(i), line.dash = series_dash(i), line.width = 2.2;
    line.title =
        fmt::format("{}: {} {}, {} {}, ridge {}", m.gpus[i], roof.ceiling, rate_text(roof.ceiling, roof.rate),
                    slope.ceiling, bandwidth_text(slope.bandwidth),
                    intensity_text(roof.ceiling, roof.rate / slope.bandwidth));
    ChartLine flat = line;
    flat.points.erase(flat.points.begin());
    line.points.pop_back();
    set_grade(line, slope.grade), set_grade(flat, roof.grade);
    line.spot = LabelSpot::along, line.bold = false;
    line.label = m.gpus[i] + " " + bandwidth_text(slope.bandwidth);
    flat.spot = LabelSpot::right;
    flat.label = fmt::format("{} {} {}", m.gpus[i], roof.ceiling, rate_text(roof.ceiling, roof.rate));
    flat.short_label = fmt::format("{} {}", m.gpus[i], rate_text(roof.ceiling, roof.rate));
    flat.name = names_at(m, rate_text(roof.ceiling, roof.rate));
    if (flat.name != m.gpus[i])
      flat.shared_label = fmt::format("{} {}", flat.name, rate_text(roof.ceiling, roof.rate));
    ChartDot ridge = ridge_dot(slope, roof, m.gpus[i] + " ridge ");
    ridge.colour = ridge.label_colour = series_colour(i), ridge.dropped = few;
    if (!few) ridge.label = m.gpus[i] + " " + intensity_text(roof.ceiling, ridge.at.x);
    if (m.is_crowded()) name_rates_alone(chart.lines, line, flat, ridge);
    chart.lines.push_back(std::move(line));
    chart.lines.push_back(std::move(flat));
    chart.dots.push_back(std::move(ridge));
  }
}

} // namespace perfmodel::plots
