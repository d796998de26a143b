#include "charts.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/output/svg.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace perfmodel::plots::lines_test {

using test::lines;

bool noted(const Chart& chart, const std::string& part) {
  return std::any_of(chart.notes.begin(), chart.notes.end(),
                     [&](const auto& n) { return n.find(part) != std::string::npos; });
}

ChartChoice logarithmic(const Result& r) {
  ChartChoice choice = r.chart;
  choice.log_x = choice.log_y = true;
  return choice;
}

TEST(LinesChart, a_series_is_a_line_named_at_its_end) {
  const Result r = lines({{32, "ilp 1", 1e9}, {64, "ilp 1", 2e9}, {32, "ilp 2", 2e9}, {64, "ilp 2", 4e9}});
  const Chart chart = lines_chart(r, {}, r.chart);
  ASSERT_EQ(chart.lines.size(), 2u);
  EXPECT_EQ(chart.lines[0].label, "ilp 1");
  EXPECT_EQ(chart.lines[1].points, (std::vector<Point>{{32, 2e9}, {64, 4e9}}));
  EXPECT_EQ(chart.y.label, "bandwidth [GB/s]");
  EXPECT_EQ(chart.x.label, "threads");
}

TEST(LinesChart, rows_in_any_order_make_the_same_line) {
  const Result r = lines({{64, "", 2e9}, {32, "", 1e9}, {96, "", 3e9}});
  EXPECT_EQ(lines_chart(r, {}, r.chart).lines[0].points,
            (std::vector<Point>{{32, 1e9}, {64, 2e9}, {96, 3e9}}));
}

TEST(LinesChart, without_a_chosen_series_keys_that_vary_make_them) {
  const Result r = lines({{32, "a", 1}, {64, "a", 2}, {32, "b", 3}, {64, "b", 4}});
  ChartChoice choice = r.chart;
  choice.series = "";
  EXPECT_EQ(lines_chart(r, {}, choice).lines.size(), 2u);
}

TEST(LinesChart, a_key_that_follows_from_x_makes_no_series) {
  const Result r = lines({{32, "one warp", 1}, {64, "two warps", 2}, {96, "three warps", 3}});
  ChartChoice choice = r.chart;
  choice.series = "";
  EXPECT_EQ(lines_chart(r, {}, choice).lines.size(), 1u);
}

// Blocks follow from threads, and do not tell words apart.
TEST(LinesChart, a_key_that_follows_from_x_does_not_part_the_lines_of_another) {
  Result r = lines({{32, "4 B", 1}, {64, "4 B", 2}, {32, "8 B", 3}, {64, "8 B", 4}});
  Column blocks{.name = "blocks", .role = Role::key, .cells = std::vector<std::int64_t>{8, 4, 8, 4}};
  r.tables[0].columns.insert(r.tables[0].columns.begin() + 1, std::move(blocks));
  r.chart.series = "";
  const Chart chart = lines_chart(r, {}, r.chart);
  ASSERT_EQ(chart.lines.size(), 2u);
  EXPECT_EQ(chart.lines[0].label, "4 B");
  EXPECT_EQ(chart.lines[1].points.size(), 2u);
}

// A lecture prints words without saying that there was one load.
TEST(LinesChart, a_key_of_one_value_names_no_line_where_others_do) {
  Result r = lines({{32, "1", 1}, {64, "1", 2}, {32, "1", 3}, {64, "1", 4}});
  r.tables[0].columns.push_back(
      {.name = "word", .role = Role::key, .cells = std::vector<std::string>{"4 B", "4 B", "8 B", "8 B"}});
  const Chart chart = lines_chart(r, {}, r.chart); // over loads, which has one value
  ASSERT_EQ(chart.lines.size(), 2u);
  EXPECT_EQ(chart.lines[0].label, "4 B");
  EXPECT_EQ(chart.lines[1].label, "8 B");
}

TEST(LinesChart, zero_and_negative_values_leave_a_log_axis_and_are_counted) {
  const Result r = lines({{0, "", 1}, {-1, "", 1}, {32, "", 0}, {64, "", 2}, {128, "", 3}});
  const Chart chart = lines_chart(r, {}, logarithmic(r));
  EXPECT_EQ(chart.lines[0].points.size(), 2u);
  EXPECT_TRUE(noted(chart, "3 rows have no number that a logarithmic axis can show"));
}

TEST(LinesChart, absent_values_are_counted) {
  const Result r = lines({{32, "", absent}, {64, "", 2}, {absent, "", 3}, {96, "", INFINITY}, {128, "", 4}});
  EXPECT_TRUE(noted(lines_chart(r, {}, r.chart), "3 rows have no number"));
}

TEST(LinesChart, powers_of_two_make_a_binary_axis) {
  const Result r = lines({{32, "", 1e9}, {96, "", 2e9}, {1024, "", 3e9}});
  EXPECT_EQ(lines_chart(r, {}, logarithmic(r)).x.scale, Scale::log2);
  const Result ten = lines({{10, "", 1e9}, {1000, "", 3e9}});
  EXPECT_EQ(lines_chart(ten, {}, logarithmic(ten)).x.scale, Scale::log10);
}

TEST(LinesChart, a_linear_y_axis_shows_zero) {
  const Result r = lines({{32, "", 4.1e12}, {64, "", 4.2e12}});
  EXPECT_EQ(lines_chart(r, {}, r.chart).y.low, 0);
}

TEST(LinesChart, a_constant_x_or_y_still_has_an_axis) {
  const Result r = lines({{32, "", 5}, {32, "", 6}});
  ChartChoice choice = r.chart;
  const Chart chart = lines_chart(r, {}, choice);
  EXPECT_LT(chart.x.low, 32);
  EXPECT_GT(chart.x.high, 32);
  EXPECT_NO_THROW(to_svg(chart));
}

// Every point is in the chart; a picture has the first, lowest, highest and last of each half pixel.
TEST(LinesChart, a_million_rows_are_drawn_to_the_pixel_alike_from_run_to_run_with_their_extremes) {
  std::vector<test::Sample> samples;
  for (int i = 0; i < 1'000'000; ++i)
    samples.push_back({static_cast<double>(i), "", i == 123'456 ? 9e9 : 1e9 + i % 7});
  const Result r = lines(samples);
  const Chart chart = lines_chart(r, {}, r.chart);
  EXPECT_EQ(chart.lines[0].points.size(), 1'000'000u);
  const Layout l = layout(chart);
  ASSERT_EQ(l.lines[0].strokes.size(), 1u);
  const std::vector<Point>& stroke = l.lines[0].strokes[0];
  EXPECT_LE(static_cast<double>(stroke.size()), 4 * 2 * (l.plot.width() + 1));
  double top = 1e9, foot = 0;
  for (const Point p : stroke) top = std::min(top, p.y), foot = std::max(foot, p.y);
  const double high = l.plot.bottom - 9e9 / chart.y.high * l.plot.height(),
               low = l.plot.bottom - 1e9 / chart.y.high * l.plot.height();
  EXPECT_NEAR(top, high, 0.01);
  EXPECT_NEAR(foot, low, 0.01);
  const std::string svg = to_svg(chart);
  EXPECT_LT(svg.size(), 200'000u);
  EXPECT_EQ(svg, to_svg(lines_chart(r, {}, r.chart)));
}

// On a logarithmic axis a thousandth of a million rows is a third of the picture.
TEST(LinesChart, the_left_end_of_a_logarithmic_axis_keeps_its_points) {
  std::vector<test::Sample> samples;
  for (int i = 1; i <= 1'000'000; ++i) samples.push_back({static_cast<double>(i), "", i % 2 ? 1e9 : 2e9});
  const Result r = lines(samples);
  const Layout l = layout(lines_chart(r, {}, logarithmic(r)));
  const double third = l.plot.left + l.plot.width() / 3;
  const auto& stroke = l.lines.at(0).strokes.at(0);
  EXPECT_GT(std::count_if(stroke.begin(), stroke.end(), [&](Point p) { return p.x < third; }), 90);
}

TEST(LinesChart, lines_of_few_points_are_drawn_as_they_are) {
  std::vector<test::Sample> samples;
  for (int i = 0; i < 2000; ++i) samples.push_back({static_cast<double>(i), "", 1e9 + i % 7 * 1e8});
  const Result r = lines(samples);
  EXPECT_EQ(layout(lines_chart(r, {}, r.chart)).lines[0].strokes[0].size(), 2000u);
}

TEST(LinesChart, a_missing_column_is_named) {
  const Result r = lines({{32, "", 1}});
  ChartChoice choice = r.chart;
  choice.y = "bandwith";
  try {
    lines_chart(r, {}, choice);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("no column 'bandwith'; it has threads, ilp, bandwidth"),
              std::string::npos)
        << e.what();
  }
  choice.y = "ilp";
  EXPECT_THROW(lines_chart(r, {}, choice), InputError);
  EXPECT_THROW(lines_chart(Result{}, {}, choice), InputError);
  EXPECT_THROW(lines_chart(r, {}, ChartChoice{}), InputError);
}

// Rounding up to the next sample: 0.5 up to 32 threads, 1 from there to 64.
TEST(LinesChart, a_staircase_holds_each_value_back_to_the_sample_before) {
  Result r = lines({{32, "", 1}, {64, "", 3}, {96, "", 2}});
  r.chart.steps = true;
  EXPECT_EQ(chart_of(r).lines[0].points,
            (std::vector<Point>{{0, 1}, {32, 1}, {32, 3}, {64, 3}, {64, 2}, {96, 2}}));
}

TEST(LinesChart, a_staircase_is_marked_where_its_treads_end_and_not_along_them) {
  Result r = lines({{1, "", 3}, {2, "", 3}, {3, "", 3}, {4, "", 3}, {5, "", 2}, {6, "", 2}});
  EXPECT_EQ(chart_of(r).dots.size(), 6u);
  r.chart.steps = true;
  const Chart chart = chart_of(r);
  std::vector<double> marked;
  for (const ChartDot& dot : chart.dots) marked.push_back(dot.at.x);
  EXPECT_EQ(marked, (std::vector<double>{1, 4, 5, 6}));
}

TEST(LinesChart, the_first_tread_of_a_staircase_does_not_go_below_zero) {
  Result r = lines({{32, "", 1}, {128, "", 3}});
  r.chart.steps = true;
  EXPECT_EQ(chart_of(r).lines[0].points.front(), (Point{0, 1}));
}

TEST(LinesChart, fractions_have_an_axis_from_0_to_100_percent_whatever_part_they_fill) {
  const ChartAxis axis = chart_of(test::curve({1})).y;
  EXPECT_EQ(axis.label, "of peak [%]");
  EXPECT_EQ(axis.unit, 0.01);
  EXPECT_EQ(axis.low, 0);
  EXPECT_NEAR(axis.high, 1, 0.03);
}

TEST(LinesChart, the_roof_that_all_rows_share_is_drawn_across_them_and_two_roofs_are_not) {
  Result r = lines({{4, "", 24e9}, {8, "", 68e9}, {16, "", 157e9}});
  Column share{.name = "of_roof", .cells = std::vector<double>{24.0 / 536, 68.0 / 536, 157.0 / 536}};
  r.tables[0].columns.push_back(share);
  Chart chart = lines_chart(r, {}, r.chart);
  EXPECT_GT(chart.y.high, 536);
  ASSERT_EQ(chart.lines.size(), 2u);
  EXPECT_EQ(chart.lines[0].title, "roof: 536 GB/s");
  EXPECT_EQ(chart.lines[0].points.front().x, chart.x.low);
  EXPECT_EQ(chart.lines[0].points.back().x, chart.x.high);
  for (const Point p : chart.lines[0].points) EXPECT_DOUBLE_EQ(p.y, 536e9);
  EXPECT_EQ(chart.legend.front().text, "roof: 536 GB/s");
  r.tables[0].columns.back().cells = std::vector<double>{0.1, 0.2, 0.3};
  EXPECT_EQ(lines_chart(r, {}, r.chart).lines.size(), 1u);
}

TEST(LinesChart, thirty_lines_differ_in_colour_or_dash_and_more_in_their_marks) {
  std::set<std::pair<int, Dash>> lines;
  for (std::size_t n = 0; n < 30; ++n) lines.emplace(series_colour(n), series_dash(n));
  EXPECT_EQ(lines.size(), 30u);
  std::set<std::tuple<int, Dash, Shape>> marked;
  for (std::size_t n = 0; n < 210; ++n) marked.emplace(series_colour(n), series_dash(n), series_shape(n));
  EXPECT_EQ(marked.size(), 210u);
}

TEST(LinesChart, neighbours_differ_in_more_than_colour) {
  const Chart chart = chart_of(test::curve({1, 2, 4, 8}));
  for (std::size_t i = 1; i < chart.lines.size(); ++i) {
    EXPECT_NE(chart.lines[i].dash, chart.lines[i - 1].dash);
    EXPECT_EQ(chart.lines[i].sample->dash, chart.lines[i].dash);
  }
}

} // namespace perfmodel::plots::lines_test
