#include "lines_chart.hpp"

#include "density.hpp"
#include "grade.hpp"
#include "palette.hpp"
#include "sweep_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr std::size_t marked = 60; // points of a series that still get a mark, and with it a tooltip
constexpr std::size_t told_apart =
    30;                             // series that colour and dash tell apart; further ones need their shape
constexpr double open_radius = 3.6; // px of a mark whose half is to be seen open
constexpr std::size_t most_pieces = 50; // of a line whose grade changes

// A mark at each point of a short series: where the line bends is where the model was asked. Of a staircase
// at the ends of its treads: marks all along them would hide the dashes that tell one line from another below
// it.
void want_marks(std::vector<SweepDot>& dots, const SweepDrawing& d, const SweepSeries& s, bool steps,
                bool hollow) {
  if (s.rows.size() > marked && !hollow) return;
  if (!hollow && d.has_measured() && s.rows.size() > 1) return; // the measured points have tooltips
  for (std::size_t i = 0; i < s.rows.size(); ++i) {
    const bool is_within = i > 0 && i + 1 < s.rows.size() && s.rows[i - 1].y == s.rows[i].y &&
                           s.rows[i + 1].y == s.rows[i].y && s.rows[i - 1].grade == s.rows[i].grade;
    if (!steps || hollow || !is_within) dots.push_back({&s, i, false});
  }
}

ChartDot mark_of(const SweepDrawing& d, const SweepDot& wanted, bool hollow) {
  const SweepSeries& s = *wanted.series;
  const SweepRow& r = s.rows[wanted.row];
  const std::size_t place = d.place(s.name);
  ChartDot dot;
  dot.low = r.low, dot.high = r.high, dot.grade = r.grade;
  const bool shaped = hollow || d.names.size() > told_apart;
  dot.colour = series_colour(place), dot.shape = shaped ? series_shape(place) : Shape::dot;
  dot.filled = !hollow, dot.radius = hollow ? 4.5 : s.rows.size() == 1 || shaped ? 4 : 2.2;
  if (r.grade != Grade::known) dot.radius = std::max(dot.radius, open_radius);
  dot.title = d.text(s.name, r);
  return dot;
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

// The path of a series and, for each of its points, the grade of the stretch that leads there: the worse of
// its ends, a tread's own in a staircase.
struct Path {
  std::vector<Point> points;
  std::vector<Grade> grades;
  void add(Point p, Grade grade) { points.push_back(p), grades.push_back(grade); }
};

Path path_of(const SweepSeries& s, const ChartChoice& choice) {
  Path path;
  if (choice.steps && !choice.log_x && s.rows.size() > 1) { // the first tread, as wide as the second
    const double first = s.rows[0].x, before = 2 * first - s.rows[1].x;
    path.add({std::min(first, std::max(0.0, before)), s.rows[0].y}, s.rows[0].grade);
  }
  Grade last = s.rows.empty() ? Grade::known : s.rows[0].grade;
  for (const SweepRow& r : s.rows) {
    if (choice.steps && !path.points.empty() && path.points.back().y != r.y)
      path.add({path.points.back().x, r.y}, r.grade);
    path.add({r.x, r.y}, choice.steps ? r.grade : std::max(last, r.grade));
    last = r.grade;
  }
  if (path.points.size() == 1) path.add(path.points.front(), last); // its label still needs an end
  return path;
}

// Cut where the grade changes; one that changes too often to be seen is as its worst part. Each piece starts
// at the end of the one before.
std::vector<Path> pieces_of(Path path) {
  std::size_t changes = 0;
  for (std::size_t i = 2; i < path.grades.size(); ++i) changes += path.grades[i] != path.grades[i - 1];
  const auto worst = std::max_element(path.grades.begin(), path.grades.end());
  if (changes == 0 || changes > most_pieces) {
    if (worst != path.grades.end()) path.grades.assign(path.grades.size(), Grade(*worst));
    return {std::move(path)};
  }
  std::vector<Path> pieces(1);
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    if (i > 1 && path.grades[i] != path.grades[i - 1]) {
      const Point joint = pieces.back().points.back();
      pieces.emplace_back().add(joint, path.grades[i]);
    }
    pieces.back().add(path.points[i], path.grades[std::max<std::size_t>(i, 1)]);
  }
  return pieces;
}

ChartLine line_of(const SweepDrawing& d, const SweepSeries& s, bool are_measured) {
  const std::size_t place = d.place(s.name);
  ChartLine line;
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
                              .marker = are_measured || d.has_measured() || d.names.size() > told_apart,
                              .filled = !are_measured && !d.has_measured(),
                              .dash = line.dash,
                              .shape = series_shape(place)};
  return line;
}

// Named where its last piece ends.
void add_line(Chart& chart, const SweepDrawing& d, const SweepSeries& s, const ChartChoice& choice,
              bool are_measured) {
  std::vector<Path> pieces = pieces_of(path_of(s, choice));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    ChartLine line = line_of(d, s, are_measured);
    line.points = std::move(pieces[i].points), line.grade = pieces[i].grades.back();
    if (line.grade != Grade::known)
      line.title = s.name.empty() ? grade_text(line.grade) : with_grade(s.name, line.grade);
    if (line.sample) line.sample->grade = line.grade;
    if (i + 1 < pieces.size()) line.label.clear(), line.spot = LabelSpot::none;
    chart.lines.push_back(std::move(line));
  }
}

void add_line_density(Chart& chart, const SweepDrawing& d, const ChartChoice& choice) {
  DensityGrid grid(chart.x, chart.y);
  for (const SweepSeries& s : d.predicted.series) {
    const Path path = path_of(s, choice);
    if (path.points.empty()) continue;
    grid.add_line(path.points, series_colour(d.place(s.name)),
                  *std::max_element(path.grades.begin(), path.grades.end()));
  }
  chart.densities.push_back(grid.density(0, "lines"));
  chart.legend.push_back(shades_entry(chart.densities.back()));
  chart.notes.push_back(
      fmt::format("{} lines are too many to be told apart: shades count them.", d.predicted.series.size()));
}
} // namespace

Chart lines_chart(const Result& predicted, const std::vector<Result>& measured, const ChartChoice& choice) {
  ChartChoice lines = choice;
  lines.kind = ChartKind::lines;
  const SweepDrawing d = read_sweeps(predicted, measured, lines);
  if (is_one_x(d) && !too_many_bars(predicted, choice)) return bars_chart(predicted, measured, choice);
  Chart chart = framed(d, predicted, lines);
  add_roof(chart, d);
  const bool are_measured = predicted.kind == Kind::measured || predicted.kind == Kind::published;
  if (choice.kind == ChartKind::bars)
    chart.notes.push_back(fmt::format("{} bars are too many to be told apart: lines join their ends.",
                                      charted_table(predicted, choice).rows()));
  std::vector<SweepDot> dots;
  const bool dense = d.predicted.series.size() > most_lines;
  if (dense) add_line_density(chart, d, choice);
  for (const SweepSeries& s : d.predicted.series) {
    if (s.rows.empty()) continue;
    if (!dense) add_line(chart, d, s, choice, are_measured);
    if (!dense || are_measured) want_marks(dots, d, s, choice.steps, are_measured);
  }
  for (const SweepDot& dot : measured_dots(d)) dots.push_back(dot);
  add_dots(
      chart, d, dots, [](const std::string&) { return 0.0; },
      [&](const SweepDot& dot) { return mark_of(d, dot, are_measured); });
  if (d.has_measured()) {
    const bool one = d.names.size() == 1;
    chart.legend.push_back(
        {.text = are_measured ? "joined" : "predicted", .colour = one ? 0 : grey, .line = true});
    chart.legend.push_back({.text = d.beside, .colour = one ? 0 : grey, .marker = true});
  }
  add_grade_legend(chart);
  return chart;
}

} // namespace perfmodel::plots
