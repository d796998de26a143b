#include "sweep_drawing.hpp"

#include "asked_rows.hpp"
#include "density.hpp"
#include "grade.hpp"
#include "palette.hpp"
#include "value_axis.hpp"

#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace perfmodel::plots {

namespace {
std::string counted(std::size_t n, const char* one, const char* many) {
  return n == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}", n, many);
}

void add_names(SweepDrawing& d, const Sweep& sweep) {
  for (const SweepSeries& s : sweep.series)
    if (d.places.emplace(s.name, d.names.size()).second) d.names.push_back(s.name);
}
} // namespace

std::size_t SweepDrawing::place(const std::string& series) const {
  const auto at = places.find(series);
  return at == places.end() ? names.size() : at->second;
}

std::string SweepDrawing::text(const std::string& series, const SweepRow& row) const {
  const auto index = static_cast<std::size_t>(row.x);
  const std::string at = predicted.categories.empty()
                             ? format_quantity(row.x, predicted.x.unit)
                             : (index < predicted.categories.size() ? predicted.categories[index] : "");
  const bool named = predicted.categories.empty() && predicted.x.unit.symbol.empty();
  return with_grade(fmt::format("{}{}{}, {}", series.empty() ? "" : series + ": ",
                                named ? readable(predicted.x.name) + " " : "", at,
                                format_quantity(row.y, predicted.y.unit)),
                    row.grade);
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

namespace {
// A key of words that the charted table has not, but another one of the answer has: the rows are parts of
// what the chart shows, and would stand beside the whole. "" where there is none.
std::string parting_key(const Table& measured, const Table& charted, const Result& predicted) {
  const auto is_key = [](const Table& table, const std::string& name) {
    const Column* column = table.find(name);
    return column != nullptr && column->role == Role::key;
  };
  for (const Column& key : measured.columns)
    if (key.role == Role::key && key.is_text() && key.name != "gpu" && charted.find(key.name) == nullptr &&
        std::any_of(predicted.tables.begin(), predicted.tables.end(),
                    [&](const Table& table) { return is_key(table, key.name); }))
      return key.name;
  return "";
}
} // namespace

bool SweepDrawing::has_measured() const {
  return std::any_of(measured.begin(), measured.end(), [](const Sweep& sweep) {
    return std::any_of(sweep.series.begin(), sweep.series.end(),
                       [](const SweepSeries& s) { return !s.rows.empty(); });
  });
}

SweepDrawing read_sweeps(const Result& predicted, const std::vector<Result>& measured,
                         const ChartChoice& choice) {
  SweepDrawing d;
  d.predicted = sweep_of(predicted, choice);
  d.roof = roof_of(charted_table(predicted, choice), choice.y);
  add_names(d, d.predicted);
  std::size_t dropped = d.predicted.dropped;
  std::size_t unlike = 0, elsewhere = 0;
  std::vector<std::string> differing;
  std::vector<std::pair<std::string, std::size_t>> parted; // rows by the key that parts them
  const auto is_published = [](const Result& r) { return r.kind == Kind::published; };
  if (std::any_of(measured.begin(), measured.end(), is_published))
    d.beside =
        std::all_of(measured.begin(), measured.end(), is_published) ? "published" : "measured, published";
  for (const Result& result : measured) {
    const auto shows = [&](const Table& t) { return t.find(choice.x) && t.find(choice.y); };
    if (std::none_of(result.tables.begin(), result.tables.end(), shows)) {
      ++unlike;
      continue;
    }
    const Table& rows = charted_table(result, choice);
    if (const std::string key = parting_key(rows, charted_table(predicted, choice), predicted);
        !key.empty()) {
      const auto known =
          std::find_if(parted.begin(), parted.end(), [&](const auto& p) { return p.first == key; });
      if (known == parted.end())
        parted.emplace_back(key, rows.rows());
      else
        known->second += rows.rows();
      continue;
    }
    // Between two bars there is no line: a number that none stands for is another question.
    const bool x_is_key = !d.predicted.categories.empty() && !rows.find(choice.x)->is_text();
    AskedRows asked = asked_rows(rows, charted_table(predicted, choice), x_is_key ? "" : choice.x);
    elsewhere += asked.elsewhere;
    for (const std::string& key : asked.differing)
      if (std::find(differing.begin(), differing.end(), readable(key)) == differing.end())
        differing.push_back(readable(key));
    Sweep sweep = sweep_of({.kind = result.kind, .tables = {std::move(asked.table)}}, choice, &d.predicted);
    dropped += sweep.dropped;
    d.predicted.categories = sweep.categories;
    add_names(d, sweep);
    d.measured.push_back(std::move(sweep));
  }
  for (const auto& [key, rows] : parted)
    d.notes.push_back(fmt::format(
        "{} {}, which this chart does not: not drawn.",
        counted(rows, (d.beside + " row names its").c_str(), (d.beside + " rows name their").c_str()),
        readable(key)));
  if (unlike > 0)
    d.notes.push_back(fmt::format(
        "Not drawn: {} not give {} by {}.",
        counted(unlike, (d.beside + " table that does").c_str(), (d.beside + " tables that do").c_str()),
        readable(choice.y), readable(choice.x)));
  if (elsewhere > 0)
    d.notes.push_back(fmt::format("{} {} at other values of {}: not drawn.",
                                  counted(elsewhere, "row was", "rows were"), d.beside,
                                  fmt::join(differing, ", ")));
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
  // A model's summary is a sentence; a picture's title is what stands before its colon.
  chart.title = predicted.title.substr(0, predicted.title.find(':'));
  if (chart.title.empty()) chart.title = readable(predicted.model);
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

void add_roof(Chart& chart, const SweepDrawing& d) {
  if (!std::isfinite(d.roof)) return;
  const std::string text = "roof: " + format_quantity(d.roof, d.predicted.y.unit);
  chart.lines.push_back({{{chart.x.low, d.roof}, {chart.x.high, d.roof}}, "", text, ink, Dash::solid, 1.8});
  chart.legend.push_back({.text = text, .line = true});
}

double predicted_at(const SweepDrawing& d, const std::string& series, double x) {
  const std::size_t place = d.place(series); // predicted series come first
  if (place >= d.predicted.series.size()) return absent;
  const std::vector<SweepRow>& rows = d.predicted.series[place].rows;
  const auto at =
      std::lower_bound(rows.begin(), rows.end(), x, [](const SweepRow& r, double v) { return r.x < v; });
  return at != rows.end() && at->x == x ? at->y : absent;
}

std::vector<SweepDot> measured_dots(const SweepDrawing& d) {
  std::vector<SweepDot> dots;
  for (const Sweep& sweep : d.measured)
    for (const SweepSeries& s : sweep.series)
      for (std::size_t i = 0; i < s.rows.size(); ++i) dots.push_back({&s, i, true});
  return dots;
}

namespace {
ChartDot measured_dot(const SweepDrawing& d, const SweepSeries& s, const SweepRow& r) {
  ChartDot dot;
  dot.at = {r.x, r.y}, dot.low = r.low, dot.high = r.high;
  dot.colour = series_colour(d.place(s.name)), dot.shape = series_shape(d.place(s.name));
  dot.radius = s.rows.size() > 60 ? 3.5 : 4.5;
  dot.title = d.beside + " " + d.text(s.name, r);
  const double expected = predicted_at(d, s.name, r.x);
  if (std::isfinite(expected) && r.y != 0)
    dot.title += fmt::format("; predicted {}, error {:+.1f} %", format_quantity(expected, d.predicted.y.unit),
                             100 * (expected - r.y) / r.y);
  return dot;
}
} // namespace

void add_dots(Chart& chart, const SweepDrawing& d, const std::vector<SweepDot>& dots,
              const std::function<double(const std::string&)>& shift,
              const std::function<ChartDot(const SweepDot&)>& mark) {
  std::vector<DotPlace> places;
  double aside = 0;
  int colour = ink;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const SweepSeries& series = *dots[i].series;
    if (i == 0 || dots[i].series != dots[i - 1].series)
      aside = shift(series.name), colour = series_colour(d.place(series.name));
    const SweepRow& row = series.rows[dots[i].row];
    places.push_back({{row.x + aside, row.y}, colour, row.grade});
  }
  for (const std::size_t i : dots_apart(chart, places).drawn) {
    chart.dots.push_back(dots[i].measured
                             ? measured_dot(d, *dots[i].series, dots[i].series->rows[dots[i].row])
                             : mark(dots[i]));
    chart.dots.back().at = places[i].at;
  }
}

} // namespace perfmodel::plots
