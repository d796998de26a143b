// What is not known of this GPU is seen in every mark, without colour, and the legend says what it means.
#include "plots/chart/grade.hpp"

#include "charts.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/chart/roofline_chart.hpp"
#include "plots/output/svg.hpp"
#include "plots/output/svg_marks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace perfmodel::plots::grade_test {

using test::graded;
using Words = std::vector<std::string>;

std::vector<std::string> legend_of(const Chart& chart) {
  std::vector<std::string> texts;
  for (const LegendEntry& e : chart.legend) texts.push_back(e.text);
  return texts;
}

bool holds(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

TEST(Grade, is_read_from_the_column_of_that_name) {
  const Result r =
      graded(test::ladder({{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}}), {"known", "inherited", "assumed", "?"});
  EXPECT_EQ(grades_of(r.tables[0]),
            (std::vector<Grade>{Grade::known, Grade::inherited, Grade::assumed, Grade::known}));
  EXPECT_EQ(grades_of(test::ladder({{"a", 1}}).tables[0]), (std::vector<Grade>{Grade::known}));
}

TEST(Grade, where_all_is_known_the_picture_is_as_without_the_column) {
  for (const Result& r : {test::ladder({{"a", 1e9}, {"b", 2e9}}), test::curve({1, 4}), test::staircase(),
                          test::roofline({test::matmul_ladder(false)})})
    EXPECT_EQ(to_svg(chart_of(graded(r, {"known"}))), to_svg(chart_of(r)));
}

TEST(Grade, the_legend_says_what_occurs_and_nothing_else) {
  for (const Result& r : {test::ladder({{"a", 1e9}, {"b", 2e9}}), test::curve({1, 4}),
                          test::roofline({test::matmul_ladder(false)})}) {
    const auto none = legend_of(chart_of(graded(r, {"known"}))),
               some = legend_of(chart_of(graded(r, {"known", "inherited"}))),
               both = legend_of(chart_of(graded(r, {"assumed", "inherited"})));
    EXPECT_FALSE(holds(none, "inherited cost") || holds(none, "assumed cost"));
    EXPECT_TRUE(holds(some, "inherited cost"));
    EXPECT_FALSE(holds(some, "assumed cost"));
    EXPECT_TRUE(holds(both, "inherited cost") && holds(both, "assumed cost"));
  }
}

TEST(Grade, a_measurement_has_none) {
  const Result predicted = test::ladder({{"a", 1e9}});
  const Chart chart = chart_of(predicted, {graded(test::ladder({{"a", 2e9}}, Kind::measured), {"assumed"})});
  EXPECT_FALSE(holds(legend_of(chart), "assumed cost"));
  for (const ChartDot& dot : chart.dots) EXPECT_EQ(dot.grade, Grade::known);
}

TEST(Grade, a_tooltip_tells_it) {
  const Chart bars = chart_of(graded(test::ladder({{"a", 1e9}, {"b", 2e9}}), {"inherited", "assumed"}));
  EXPECT_EQ(bars.bars[0].title, "a, 1 GB/s, inherited cost");
  EXPECT_EQ(bars.bars[1].title, "b, 2 GB/s, assumed cost");
  const Chart roofs = roofline_chart(graded(test::roofline({test::m2090()}), {"inherited"}));
  for (const ChartLine& line : roofs.lines)
    if (!line.label.empty()) {
      EXPECT_NE(line.title.find("inherited cost"), std::string::npos) << line.title;
    }
  EXPECT_NE(roofs.dots[0].title.find("inherited cost"), std::string::npos) << roofs.dots[0].title;
  const Chart lines = chart_of(graded(test::curve({1, 4}), {"assumed"}));
  EXPECT_EQ(lines.lines[0].title, "ILP 1, assumed cost");
  EXPECT_NE(lines.dots[0].title.find("assumed cost"), std::string::npos) << lines.dots[0].title;
}

// A stretch is as sure as the less sure of its ends; the name stands at the right end alone.
TEST(Grade, a_line_is_cut_where_it_changes) {
  const Result r = graded(test::lines({{1, "a", 1}, {2, "a", 2}, {3, "a", 3}, {4, "a", 4}, {5, "a", 5}}),
                          {"known", "known", "inherited", "inherited", "known"});
  const Chart chart = chart_of(r);
  ASSERT_EQ(chart.lines.size(), 2u);
  EXPECT_EQ(chart.lines[0].points, (std::vector<Point>{{1, 1}, {2, 2}}));
  EXPECT_EQ(chart.lines[1].points, (std::vector<Point>{{2, 2}, {3, 3}, {4, 4}, {5, 5}}));
  EXPECT_EQ(chart.lines[0].grade, Grade::known);
  EXPECT_EQ(chart.lines[1].grade, Grade::inherited);
  EXPECT_EQ(chart.lines[0].label, "");
  EXPECT_EQ(chart.lines[1].label, "a");
}

TEST(Grade, a_tread_of_a_staircase_has_its_own) {
  Result r = graded(test::lines({{32, "", 1}, {64, "", 3}, {96, "", 2}}), {"known", "assumed", "known"});
  r.chart.steps = true;
  const Chart chart = chart_of(r);
  ASSERT_EQ(chart.lines.size(), 3u);
  EXPECT_EQ(chart.lines[1].points, (std::vector<Point>{{32, 1}, {32, 3}, {64, 3}}));
  EXPECT_EQ(chart.lines[1].grade, Grade::assumed);
}

TEST(Grade, a_line_that_changes_at_every_point_is_as_its_worst) {
  std::vector<test::Sample> samples;
  for (int i = 0; i < 1000; ++i) samples.push_back({static_cast<double>(i), "a", 1.0 + i});
  Result r = test::lines(samples);
  r.chart.steps = true;
  const Chart chart = chart_of(graded(r, {"known", "inherited"}));
  ASSERT_EQ(chart.lines.size(), 1u);
  EXPECT_EQ(chart.lines[0].grade, Grade::inherited);
}

TEST(Grade, a_ridge_is_as_sure_as_the_less_sure_of_its_roofs) {
  Result r = test::roofline({test::m2090()});
  Column grade{"grade", {}, Role::note, Words{}};
  for (std::size_t i = 0; i < r.tables[1].rows(); ++i) append(grade, std::string("inherited"));
  r.tables[1].columns.push_back(grade); // the bandwidths
  const Chart chart = roofline_chart(r);
  EXPECT_EQ(chart.dots[0].grade, Grade::inherited);
  for (const ChartLine& line : chart.lines)
    if (line.bold) {
      EXPECT_EQ(line.grade, line.spot == LabelSpot::along ? Grade::inherited : Grade::known);
    }
}

// A rate that was inherited and one that is known are two lines, though they are equal.
TEST(Grade, ceilings_of_different_grades_share_no_line) {
  test::Machine m = test::m2090();
  m.rates = {
      {"fp32", "fp32", "spec", 1e12}, {"fp64", "fp64", "spec", 5e11}, {"int32", "int32", "spec", 5e11}};
  const Chart together = roofline_chart(graded(test::roofline({m}), {"known"})),
              apart = roofline_chart(graded(test::roofline({m}), {"known", "known", "assumed"}));
  EXPECT_EQ(apart.lines.size(), together.lines.size() + 1);
}

template <class Mark, class Write> std::set<std::string> drawings(Mark mark, Write write) {
  std::set<std::string> out;
  for (const Grade grade : {Grade::known, Grade::inherited, Grade::assumed}) {
    mark.grade = grade;
    std::string svg;
    write(svg, light_theme(), mark);
    out.insert(svg);
  }
  return out;
}

TEST(Grade, every_mark_shows_three_grades_without_colour) {
  for (int shape = 0; shape <= static_cast<int>(Shape::dot); ++shape) {
    PlacedDot dot;
    dot.at = {50, 50}, dot.shape = static_cast<Shape>(shape), dot.filled = true;
    EXPECT_EQ(drawings(dot, write_dot).size(), 3u);
    dot.grade = Grade::inherited;
    std::string half, hollow;
    write_dot(half, light_theme(), dot);
    dot.grade = Grade::known, dot.filled = false; // measured
    write_dot(hollow, light_theme(), dot);
    EXPECT_NE(half, hollow);
  }
  for (const double width : {30.0, 2.0})
    for (int fill = 0; fill <= static_cast<int>(Fill::pale); ++fill) {
      PlacedBar bar;
      bar.rect = {10, 10, 10 + width, 100}, bar.fill = static_cast<Fill>(fill);
      EXPECT_EQ(drawings(bar, write_bar).size(), 3u);
    }
  for (int dash = 0; dash <= static_cast<int>(Dash::long_dash); ++dash) {
    PlacedLine line;
    line.strokes = {{{0, 0}, {100, 50}}}, line.dash = static_cast<Dash>(dash);
    EXPECT_EQ(drawings(line, write_line).size(), 3u);
  }
  PlacedCells cells;
  cells.runs = {{0, 0, 40, 4}}, cells.pitch = 4;
  EXPECT_EQ(drawings(cells, write_cells).size(), 3u);
}

// Hatching is drawn line by line: a pattern needs an identifier, and two pictures in one page would share it.
TEST(Grade, hatching_needs_no_identifier) {
  for (const auto& [name, svg] : test::all_svgs()) {
    EXPECT_EQ(svg.find(" id=\""), std::string::npos) << name;
    EXPECT_EQ(svg.find("url("), std::string::npos) << name;
  }
}

} // namespace perfmodel::plots::grade_test
