#include "sweep_drawing.hpp"

#include "asked_rows.hpp"
#include "palette.hpp"
#include "value_axis.hpp"

#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr std::size_t most_points = 2000; // of one series: more than a picture has columns

std::string counted(std::size_t n, const char* one, const char* many) {
  return n == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}", n, many);
}

void add_names(SweepDrawing& d, const Sweep& sweep) {
  for (const SweepSeries& s : sweep.series)
    if (std::find(d.names.begin(), d.names.end(), s.name) == d.names.end()) d.names.push_back(s.name);
}

void thin(SweepDrawing& d, Sweep& sweep) {
  for (SweepSeries& s : sweep.series) {
    const std::size_t before = s.rows.size();
    s.rows = thinned(s.rows, most_points);
    if (s.rows.size() < before && d.notes.size() < 3)
      d.notes.push_back(
          fmt::format("{}{} points drawn as {}: the first, lowest, highest and last of each stretch.",
                      s.name.empty() ? "" : s.name + ": ", before, s.rows.size()));
  }
}
} // namespace

std::vector<SweepRow> thinned(const std::vector<SweepRow>& rows, std::size_t most) {
  if (rows.size() <= most) return rows;
  const std::size_t stretch = (rows.size() * 4 + most - 1) / most;
  std::vector<SweepRow> kept;
  for (std::size_t from = 0; from < rows.size(); from += stretch) {
    const std::size_t to = std::min(from + stretch, rows.size());
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(from),
               end = rows.begin() + static_cast<std::ptrdiff_t>(to);
    const auto [low, high] =
        std::minmax_element(begin, end, [](const auto& a, const auto& b) { return a.y < b.y; });
    std::vector<std::size_t> chosen{from, static_cast<std::size_t>(low - rows.begin()),
                                    static_cast<std::size_t>(high - rows.begin()), to - 1};
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    for (const std::size_t i : chosen) kept.push_back(rows[i]);
  }
  return kept;
}

std::size_t SweepDrawing::place(const std::string& series) const {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), series) - names.begin());
}

std::string SweepDrawing::text(const std::string& series, double x, double y) const {
  const auto index = static_cast<std::size_t>(x);
  const std::string at = predicted.categories.empty()
                             ? format_quantity(x, predicted.x.unit)
                             : (index < predicted.categories.size() ? predicted.categories[index] : "");
  const bool named = predicted.categories.empty() && predicted.x.unit.symbol.empty();
  return fmt::format("{}{}{}, {}", series.empty() ? "" : series + ": ",
                     named ? readable(predicted.x.name) + " " : "", at, format_quantity(y, predicted.y.unit));
}

namespace {
double roof_of(const Table& table, const std::string& y) {
  const Column *value = table.find(y), *share = table.find("of_roof");
  if (value == nullptr || share == nullptr || value->is_text()) return absent;
  const bool time = value->unit.dimension == unit_of<Seconds>().dimension; // the least, at the roof's rate
  double roof = absent;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double here =
        time ? value->number(row) * share->number(row) : value->number(row) / share->number(row);
    if (std::isnan(roof)) roof = here;
    if (!(std::fabs(here - roof) <= 1e-6 * roof)) return absent; // several devices
  }
  return roof;
}
} // namespace

SweepDrawing read_sweeps(const Result& predicted, const std::vector<Result>& measured,
                         const ChartChoice& choice) {
  SweepDrawing d;
  d.predicted = sweep_of(predicted, choice);
  d.roof = roof_of(charted_table(predicted, choice), choice.y);
  add_names(d, d.predicted);
  std::size_t dropped = d.predicted.dropped;
  std::size_t unlike = 0, elsewhere = 0;
  std::vector<std::string> differing;
  for (const Result& result : measured) {
    const auto shows = [&](const Table& t) { return t.find(choice.x) && t.find(choice.y); };
    if (std::none_of(result.tables.begin(), result.tables.end(), shows)) {
      ++unlike;
      continue;
    }
    AskedRows asked = asked_rows(charted_table(result, choice), charted_table(predicted, choice), choice.x);
    elsewhere += asked.elsewhere;
    for (const std::string& key : asked.differing)
      if (std::find(differing.begin(), differing.end(), readable(key)) == differing.end())
        differing.push_back(readable(key));
    Sweep sweep = sweep_of({.kind = result.kind, .tables = {std::move(asked.table)}}, choice, &d.predicted);
    dropped += sweep.dropped;
    d.predicted.categories = sweep.categories;
    add_names(d, sweep);
    thin(d, sweep);
    d.measured.push_back(std::move(sweep));
  }
  thin(d, d.predicted);
  if (unlike > 0)
    d.notes.push_back(fmt::format("{} without the columns {} and {}: not drawn.",
                                  counted(unlike, "measured result", "measured results"), choice.x,
                                  choice.y));
  if (elsewhere > 0)
    d.notes.push_back(fmt::format("{} measured at other values of {}: not drawn.",
                                  counted(elsewhere, "row was", "rows were"), fmt::join(differing, ", ")));
  if (dropped > 0)
    d.notes.push_back(
        fmt::format("{} no number that {}: not drawn.", counted(dropped, "row has", "rows have"),
                    choice.log_x || choice.log_y ? "a logarithmic axis can show" : "can be shown"));
  return d;
}

Chart framed(const SweepDrawing& d, const Result& predicted, const ChartChoice& choice) {
  std::vector<double> xs, ys;
  const auto collect = [&](const Sweep& sweep) {
    for (const SweepSeries& s : sweep.series)
      for (const SweepRow& r : s.rows) {
        xs.push_back(r.x), ys.push_back(r.y);
        if (std::isfinite(r.low)) ys.push_back(r.low);
        if (std::isfinite(r.high)) ys.push_back(r.high);
      }
  };
  collect(d.predicted);
  for (const Sweep& sweep : d.measured) collect(sweep);
  if (std::isfinite(d.roof)) ys.push_back(d.roof);
  Chart chart;
  chart.title = predicted.title.empty() ? readable(predicted.model) : predicted.title;
  if (!d.predicted.gpu.empty()) chart.title += " (" + d.predicted.gpu + ")";
  if (d.predicted.categories.empty()) {
    chart.x = value_axis({readable(d.predicted.x.name), d.predicted.x.unit, choice.log_x, false, true}, xs);
  } else {
    chart.x.label = readable(d.predicted.x.name);
    chart.x.scale = Scale::category, chart.x.categories = d.predicted.categories;
    chart.x.low = -0.5, chart.x.high = static_cast<double>(d.predicted.categories.size()) - 0.5;
  }
  chart.y = value_axis({readable(d.predicted.y.name), d.predicted.y.unit, choice.log_y, true, false}, ys);
  chart.notes = d.notes;
  return chart;
}

double predicted_at(const SweepDrawing& d, const std::string& series, double x) {
  for (const SweepSeries& s : d.predicted.series) {
    if (s.name != series) continue;
    const auto at = std::lower_bound(s.rows.begin(), s.rows.end(), x,
                                     [](const SweepRow& r, double v) { return r.x < v; });
    if (at != s.rows.end() && at->x == x) return at->y;
  }
  return absent;
}

void add_measured(Chart& chart, const SweepDrawing& d,
                  const std::function<double(const std::string&)>& shift) {
  for (const Sweep& sweep : d.measured)
    for (const SweepSeries& s : sweep.series)
      for (const SweepRow& r : s.rows) {
        ChartDot dot;
        dot.at = {r.x + shift(s.name), r.y}, dot.low = r.low, dot.high = r.high;
        dot.colour = series_colour(d.place(s.name)), dot.shape = series_shape(d.place(s.name));
        dot.radius = s.rows.size() > 60 ? 3.5 : 4.5;
        dot.title = "measured " + d.text(s.name, r.x, r.y);
        const double expected = predicted_at(d, s.name, r.x);
        if (std::isfinite(expected) && r.y != 0)
          dot.title +=
              fmt::format("; predicted {}, error {:+.1f} %", format_quantity(expected, d.predicted.y.unit),
                          100 * (expected - r.y) / r.y);
        chart.dots.push_back(std::move(dot));
      }
}

} // namespace perfmodel::plots
