#include "plots/chart/density.hpp"

#include "charts.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/chart/roofline_chart.hpp"
#include "plots/output/html.hpp"
#include "plots/output/render.hpp"
#include "plots/output/svg.hpp"
#include "plots/output/terminal.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <numeric>

namespace perfmodel::plots::density_test {

Chart chart(const std::string& wanted) {
  for (const auto& [name, c] : test::all_charts())
    if (name == wanted) return c;
  throw std::logic_error("no chart " + wanted);
}

std::uint64_t counted(const Density& d) {
  return std::accumulate(d.cells.begin(), d.cells.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& cell) { return sum + cell.count; });
}

Chart unit_square() {
  Chart c;
  c.x.high = c.y.high = 1;
  return c;
}

TEST(Density, every_point_is_counted_in_the_cell_where_it_lies) {
  Chart c = unit_square();
  DensityGrid grid(c.x, c.y);
  EXPECT_TRUE(grid.add({0, 1}, 0, Grade::known)); // the upper left corner
  EXPECT_TRUE(grid.add({1, 0}, 1, Grade::known));
  EXPECT_FALSE(grid.add({1.01, 0}, 1, Grade::known));
  EXPECT_FALSE(grid.add({absent, 0}, 1, Grade::known));
  const Density d = grid.density(0, "points");
  EXPECT_EQ(counted(d), 2u);
  EXPECT_EQ(d.cells.front().count, 1u);
  EXPECT_EQ(d.cells.back().count, 1u);
  EXPECT_EQ(d.cells.back().colour, 1);
}

TEST(Density, a_cell_has_the_colour_and_grade_of_its_majority) {
  Chart c = unit_square();
  DensityGrid grid(c.x, c.y);
  for (int i = 0; i < 100; ++i)
    grid.add({0.5, 0.5}, i % 5 < 3 ? 2 : 4, i % 5 < 3 ? Grade::assumed : Grade::known);
  const Density d = grid.density(0, "points");
  const auto cell = std::find_if(d.cells.begin(), d.cells.end(), [](const auto& x) { return x.count > 0; });
  ASSERT_NE(cell, d.cells.end());
  EXPECT_EQ(cell->colour, 2);
  EXPECT_EQ(cell->grade, Grade::assumed);
}

TEST(Density, a_line_counts_once_in_every_cell_that_it_passes) {
  Chart c = unit_square();
  DensityGrid grid(c.x, c.y);
  grid.add_line({{0, 0.5}, {0.3, 0.5}, {0.3, 0.5}, {1, 0.5}}, 0, Grade::known);
  EXPECT_EQ(counted(grid.density(0, "lines")), static_cast<std::uint64_t>(grid_columns));
}

TEST(Density, four_thousand_points_have_marks_and_one_more_a_density) {
  Chart c = unit_square();
  std::vector<DotPlace> dots(most_dots, DotPlace{{0.5, 0.5}});
  EXPECT_EQ(dots_apart(c, dots).drawn.size(), most_dots);
  EXPECT_TRUE(c.densities.empty());
  dots.push_back({{0.5, 0.5}});
  EXPECT_TRUE(dots_apart(c, dots).drawn.empty());
  ASSERT_EQ(c.densities.size(), 1u);
  EXPECT_EQ(counted(c.densities[0]), most_dots + 1);
  EXPECT_EQ(c.legend.at(0).text, "4001 points in a cell");
}

TEST(Density, who_stands_alone_keeps_its_mark_its_name_and_its_tooltip) {
  const Chart c = chart("crowd");
  ASSERT_EQ(c.densities.size(), 1u);
  const auto alone =
      std::find_if(c.dots.begin(), c.dots.end(), [](const ChartDot& d) { return d.label == "alone"; });
  ASSERT_NE(alone, c.dots.end());
  EXPECT_NE(alone->title.find("of roof"), std::string::npos) << alone->title;
  const std::size_t marks = c.dots.size() - 1; // the ridge
  EXPECT_EQ(counted(c.densities[0]) + marks, 20'001u);
  EXPECT_LT(marks, 200u);
}

// Points above their roof are never lost in a crowd without a word.
TEST(Density, points_above_the_roof_are_counted_in_a_note) {
  test::Machine m = test::h200();
  for (int i = 0; i < 10'000; ++i)
    m.kernels.push_back({"k", "fp32", "dram", 1, 4.8e12, i < 7000 ? 9e12 : 2e12});
  const Chart c = roofline_chart(test::roofline({m}));
  EXPECT_TRUE(std::any_of(c.notes.begin(), c.notes.end(), [](const std::string& n) {
    return n.find("7000 points lie above the roof") != std::string::npos;
  }));
}

TEST(Density, lines_and_bars_too_many_to_tell_apart_are_drawn_small) {
  EXPECT_EQ(chart("too many lines").densities.size(), 1u);
  EXPECT_TRUE(chart("too many lines").lines.empty());
  EXPECT_TRUE(chart("too many bars").bars.empty());
  EXPECT_EQ(chart("too many bars").lines.size(), 1u);
  EXPECT_EQ(chart("too many bars").notes.at(0),
            "5000 bars are too many to be told apart: lines join their ends.");
  for (const char* name : {"crowd", "graded crowd", "too many lines", "too many bars"})
    EXPECT_LT(to_svg(chart(name)).size(), 1'500'000u) << name;
}

TEST(Density, of_a_series_for_every_row_none_is_drawn_alone) {
  std::vector<test::Sample> samples;
  for (int i = 0; i < 20'000; ++i) samples.push_back({32, "series " + std::to_string(i), 1e9 * (i % 100)});
  const Result r = test::lines(samples);
  EXPECT_LT(to_svg(chart_of(r)).size(), 1'000'000u);
  ChartChoice bars = r.chart;
  bars.kind = ChartKind::bars;
  EXPECT_LT(to_svg(bars_chart(r, {}, bars)).size(), 1'000'000u);
}

// A picture as every format, within a few megabytes; the processor time is that of a build without
// optimisation.
void expect_sane(const Result& predicted, const std::vector<Result>& measured) {
  const std::clock_t start = std::clock();
  const Chart c = chart_of(predicted, measured);
  const std::string svg = to_svg(c);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 20);
  EXPECT_LT(svg.size(), 4'000'000u);
  EXPECT_EQ(svg, to_svg(c));
  EXPECT_LT(to_terminal(c, 100).size(), 40'000u);
  EXPECT_LT(to_html(c, {predicted}).size(), 6'000'000u);
  try {
    EXPECT_LT(to_png(svg, 960).size(), 2'000'000u);
    EXPECT_LT(to_pdf(svg).size(), 4'000'000u);
  } catch (const MachineError& e) {
    EXPECT_NE(std::string(e.what()).find("librsvg2-dev"), std::string::npos) << e.what();
  }
}

TEST(Density, a_million_measured_points_are_drawn) {
  std::vector<test::Sample> predicted, measured;
  for (int i = 1; i <= 100; ++i) predicted.push_back({10'000.0 * i, "", 1e9 * i});
  for (int i = 0; i < 1'000'000; ++i)
    measured.push_back(
        {static_cast<double>(i), "", 1e5 * i * (1 - static_cast<double>(i * 7919LL % 1000) / 2000)});
  expect_sane(test::lines(predicted), {test::lines(measured, Kind::measured)});
}

TEST(Density, a_million_kernels_are_drawn_under_their_roof) {
  test::Machine m = test::h200();
  for (int i = 0; i < 1'000'000; ++i) {
    const double intensity = std::exp2(1e-5 * static_cast<double>(i * 7919LL % 1'000'000)),
                 roof = std::min(4.8e12 * intensity, 66.9e12);
    m.kernels.push_back({"k" + std::to_string(i), "fp32", "dram", intensity, roof,
                         roof * static_cast<double>(i * 104'729LL % 1'000'003) / 1e6});
  }
  expect_sane(test::roofline({m}), {});
}

TEST(Density, a_million_categories_are_drawn) {
  std::vector<std::pair<std::string, double>> rungs;
  for (int i = 0; i < 1'000'000; ++i)
    rungs.emplace_back("rung " + std::to_string(i), 1e9 * (1 + static_cast<double>(i * 37LL % 101)));
  expect_sane(test::ladder(rungs), {});
}

TEST(Density, a_thousand_lines_of_a_thousand_points_are_drawn) {
  std::vector<test::Sample> samples;
  for (int s = 0; s < 1000; ++s)
    for (int i = 1; i <= 1000; ++i)
      samples.push_back({static_cast<double>(i), "ilp " + std::to_string(s), 1e6 * i * s});
  expect_sane(test::lines(samples), {});
}

} // namespace perfmodel::plots::density_test
