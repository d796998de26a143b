#include "density.hpp"

#include "plots/layout/ticks.hpp" // position_on

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr std::uint32_t fewest_near = 3; // dots near one another that can still be told apart
constexpr int cells_beside = 2;          // cells on every side that are near: a marker's width

int cell_along(double position, int cells) {
  return std::clamp(static_cast<int>(position * cells), 0, cells - 1);
}
} // namespace

DensityGrid::DensityGrid(const ChartAxis& x, const ChartAxis& y)
    : x_(x), y_(y), cells_(static_cast<std::size_t>(grid_columns * grid_rows)), lead_(cells_.size()),
      passed_(cells_.size()) {}

int DensityGrid::cell_of(Point point) const {
  const double u = position_on(x_, point.x), v = 1 - position_on(y_, point.y);
  if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) return -1;
  return cell_along(v, grid_rows) * grid_columns + cell_along(u, grid_columns);
}

// Colour and grade by Boyer and Moore's majority vote, which needs no count for each series.
void DensityGrid::count(int cell, int colour, Grade grade) {
  Density::Cell& c = cells_[static_cast<std::size_t>(cell)];
  std::uint32_t& lead = lead_[static_cast<std::size_t>(cell)];
  ++c.count;
  if (lead == 0) c.colour = colour, c.grade = grade;
  lead = lead == 0 || (c.colour == colour && c.grade == grade) ? lead + 1 : lead - 1;
}

bool DensityGrid::add(Point point, int colour, Grade grade) {
  const int cell = cell_of(point);
  if (cell >= 0) count(cell, colour, grade);
  return cell >= 0;
}

void DensityGrid::add_line(const std::vector<Point>& points, int colour, Grade grade) {
  ++lines_;
  const auto pass = [&](double u, double v) {
    if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) return;
    const int cell = cell_along(v, grid_rows) * grid_columns + cell_along(u, grid_columns);
    std::uint32_t& last = passed_[static_cast<std::size_t>(cell)];
    if (last != lines_) count(cell, colour, grade);
    last = lines_;
  };
  double u0 = absent, v0 = absent;
  for (const Point& p : points) {
    const double u = std::clamp(position_on(x_, p.x), -1.0, 2.0),
                 v = std::clamp(1 - position_on(y_, p.y), -1.0, 2.0);
    if (!std::isfinite(u) || !std::isfinite(v)) {
      u0 = absent;
      continue;
    }
    pass(u, v);
    if (std::isfinite(u0)) {
      const double steps =
          std::ceil(2 * std::max(std::fabs(u - u0) * grid_columns, std::fabs(v - v0) * grid_rows));
      for (double i = 1; i < steps; ++i) pass(u0 + i / steps * (u - u0), v0 + i / steps * (v - v0));
    }
    u0 = u, v0 = v;
  }
}

std::uint32_t DensityGrid::near(int cell) const {
  const int column = cell % grid_columns, row = cell / grid_columns;
  std::uint32_t sum = 0;
  for (int r = std::max(row - cells_beside, 0); r <= std::min(row + cells_beside, grid_rows - 1); ++r)
    for (int c = std::max(column - cells_beside, 0); c <= std::min(column + cells_beside, grid_columns - 1);
         ++c)
      sum += cells_[static_cast<std::size_t>(r * grid_columns + c)].count;
  return sum;
}

std::uint32_t DensityGrid::count_near(Point point) const {
  const int cell = cell_of(point);
  return cell < 0 ? 0 : near(cell);
}

Density DensityGrid::density(std::uint32_t least, std::string of) const {
  Density d{grid_columns, grid_rows, cells_, std::move(of)};
  for (std::size_t cell = 0; cell < cells_.size(); ++cell)
    if (least > 0 && near(static_cast<int>(cell)) <= least) d.cells[cell] = {};
  return d;
}

LegendEntry shades_entry(const Density& density) {
  std::uint32_t low = 0, high = 0;
  std::optional<int> colour;
  bool one = true;
  for (const Density::Cell& cell : density.cells) {
    if (cell.count == 0) continue;
    low = high == 0 ? cell.count : std::min(low, cell.count), high = std::max(high, cell.count);
    one = one && (!colour || *colour == cell.colour);
    colour = cell.colour;
  }
  LegendEntry entry;
  entry.text = low == high ? fmt::format("{} {} in a cell", low, density.of)
                           : fmt::format("{} to {} {} in a cell", low, high, density.of);
  entry.colour = colour && one ? *colour : grey, entry.shades = true;
  return entry;
}

DotsApart dots_apart(Chart& chart, const std::vector<DotPlace>& dots) {
  DotsApart apart;
  if (dots.size() <= most_dots) {
    for (std::size_t i = 0; i < dots.size(); ++i) apart.drawn.push_back(i);
    return apart;
  }
  DensityGrid grid(chart.x, chart.y);
  for (const DotPlace& dot : dots) apart.outside += !grid.add(dot.at, dot.colour, dot.grade);
  std::size_t with[fewest_near + 1] = {}; // dots with at most so many near
  std::vector<std::uint32_t> counts(dots.size());
  for (std::size_t i = 0; i < dots.size(); ++i) {
    counts[i] = grid.count_near(dots[i].at);
    for (std::uint32_t k = counts[i]; k > 0 && k <= fewest_near; ++k) ++with[k];
  }
  std::uint32_t least = fewest_near;
  while (least > 0 && with[least] > most_lone) --least;
  for (std::size_t i = 0; i < dots.size(); ++i)
    if (counts[i] > 0 && counts[i] <= least) apart.drawn.push_back(i);
  const std::size_t counted = dots.size() - apart.outside - apart.drawn.size();
  if (counted == 0) return apart;
  chart.densities.push_back(grid.density(least, "points"));
  chart.legend.push_back(shades_entry(chart.densities.back()));
  chart.notes.push_back(fmt::format(
      "{} points are too many for a mark each: shades count them{}.", counted,
      apart.drawn.empty() ? "" : fmt::format(", {} that stand alone have marks", apart.drawn.size())));
  return apart;
}

} // namespace perfmodel::plots
