// Measured points beside the lines of a sweep.
#include "charts.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/chart/palette.hpp"
#include "plots/chart/sweep_drawing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace perfmodel::plots::lines_measured_test {

using test::lines;

bool noted(const Chart& chart, const std::string& part) {
  return std::any_of(chart.notes.begin(), chart.notes.end(),
                     [&](const auto& n) { return n.find(part) != std::string::npos; });
}

std::vector<ChartDot> hollow(const Chart& chart) {
  std::vector<ChartDot> dots;
  std::copy_if(chart.dots.begin(), chart.dots.end(), std::back_inserter(dots),
               [](const ChartDot& d) { return !d.filled; });
  return dots;
}

TEST(LinesMeasured, measured_points_take_the_colour_of_their_line_and_tell_the_signed_error) {
  const Result predicted = lines({{32, "a", 1e9}, {32, "b", 2e9}, {64, "b", 4e9}});
  const Result measured = lines({{32, "b", 1.6e9}}, Kind::measured);
  const Chart chart = lines_chart(predicted, {measured}, predicted.chart);
  const auto dot =
      std::find_if(chart.dots.begin(), chart.dots.end(), [](const ChartDot& d) { return !d.filled; });
  ASSERT_NE(dot, chart.dots.end());
  EXPECT_EQ(dot->colour, chart.lines[1].colour);
  EXPECT_NE(dot->title.find("predicted 2 GB/s, error +25.0 %"), std::string::npos)
      << dot->title; // (2 - 1.6) / 1.6
}

TEST(LinesMeasured, a_measured_result_of_another_shape_is_left_out_and_said) {
  const Result r = lines({{32, "", 1}});
  EXPECT_TRUE(noted(lines_chart(r, {test::ladder({{"x", 1}}, Kind::measured)}, r.chart),
                    "Not drawn: 1 measured table that does not give bandwidth by threads."));
}

// What is published of the parts of a block is no point of the line of the whole.
TEST(LinesMeasured, rows_of_parts_that_the_chart_does_not_tell_apart_are_left_out_and_said) {
  Result whole = lines({{1, "", 10}, {2, "", 20}});
  Table parts = whole.tables[0];
  parts.title = "by blocks";
  parts.columns.push_back(
      {.name = "blocks", .role = Role::key, .cells = std::vector<std::string>{"inside", "edge"}});
  whole.tables.push_back(parts);
  Result published{.kind = Kind::published, .tables = {parts}};
  const Chart chart = lines_chart(whole, {published}, whole.chart);
  EXPECT_TRUE(noted(chart, "2 published rows name their blocks, which this chart does not: not drawn."));
  EXPECT_TRUE(std::none_of(chart.legend.begin(), chart.legend.end(),
                           [](const LegendEntry& entry) { return entry.text == "published"; }));
  const Chart both = lines_chart(whole, {published, published}, whole.chart);
  EXPECT_TRUE(noted(both, "4 published rows name their blocks, which this chart does not: not drawn."))
      << "of two files it is said once";
  EXPECT_EQ(both.notes.size(), 1u);
}

// 32 thread counts of 4 ILPs were asked for; the run has 5 ILPs, 2 unrolls and 2 operand counts.
TEST(LinesMeasured, measured_rows_of_another_question_are_not_drawn_and_counted) {
  const Chart chart = chart_of(test::curve({1, 2, 4, 8}), {test::measured_curve({1, 2, 4, 8, 16})});
  EXPECT_EQ(chart.lines.size(), 4u);
  EXPECT_EQ(hollow(chart).size(), 4u * 32);
  EXPECT_TRUE(noted(chart, "512 rows were measured at other values of ILP, unroll, operands: not drawn"))
      << chart.notes.at(0);
}

TEST(LinesMeasured, a_measured_point_has_the_colour_and_shape_that_its_lines_sample_shows) {
  const Chart chart = chart_of(test::curve({1, 2, 4, 8}), {test::measured_curve({4})});
  ASSERT_EQ(hollow(chart).size(), 32u);
  ASSERT_TRUE(chart.lines[2].sample);
  EXPECT_EQ(chart.lines[2].label, "ILP 4");
  for (const ChartDot& dot : hollow(chart)) {
    EXPECT_EQ(dot.colour, chart.lines[2].colour);
    EXPECT_EQ(dot.shape, chart.lines[2].sample->shape);
    EXPECT_LT(dot.low, dot.at.y);
    EXPECT_GT(dot.high, dot.at.y);
  }
}

TEST(LinesMeasured, a_measured_x_between_the_predicted_ones_is_drawn) {
  const Result predicted = lines({{32, "a", 1e9}, {96, "a", 3e9}});
  const Chart chart = chart_of(predicted, {lines({{64, "a", 2e9}}, Kind::measured)});
  EXPECT_EQ(hollow(chart).size(), 1u);
}

} // namespace perfmodel::plots::lines_measured_test
