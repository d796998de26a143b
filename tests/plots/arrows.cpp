#include "charts.hpp"

#include "plots/chart/roofline_chart.hpp"
#include "plots/layout/geometry.hpp"
#include "plots/layout/layout.hpp"
#include "plots/output/svg.hpp"
#include "plots/output/terminal.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::plots::arrows_test {

// A square plot from 0 to 100 on both axes, with an arrow from the middle to (50 + x, 50 + y).
Layout with_arrow(double x, double y, double radius = 5) {
  Chart chart;
  chart.x.high = chart.y.high = 100;
  chart.arrows.push_back({{50, 50}, {50 + x, 50 + y}, radius, radius, 0, "up"});
  return layout(chart, {600, 600});
}

Point middle(const Layout& l) { return l.plot.centre(); }

TEST(Arrows, are_clear_of_both_markers_and_point_at_the_second) {
  const Layout l = with_arrow(0, 30);
  ASSERT_EQ(l.arrows.size(), 1u);
  const PlacedArrow& arrow = l.arrows[0];
  ASSERT_TRUE(arrow.shaft);
  const Point from = middle(l), to{from.x, from.y - 0.3 * l.plot.height()};
  EXPECT_NEAR(length(arrow.shaft->a - from), 7.5, 0.02);
  EXPECT_NEAR(length(arrow.head[0] - to), 7.5, 0.02);
  EXPECT_LT(arrow.head[0].y, arrow.head[1].y) << "upwards";
  EXPECT_NEAR(arrow.head[1].x + arrow.head[2].x, 2 * arrow.head[0].x, 0.02) << "as wide to both sides";
}

TEST(Arrows, between_close_markers_are_a_small_head_and_between_closer_ones_nothing) {
  const double px = 100 / with_arrow(0, 30).plot.height(); // in the data's units
  EXPECT_TRUE(with_arrow(0, 24 * px).arrows[0].shaft);
  ASSERT_EQ(with_arrow(0, 18 * px).arrows.size(), 1u);
  EXPECT_FALSE(with_arrow(0, 18 * px).arrows[0].shaft);
  EXPECT_TRUE(with_arrow(0, 16 * px).arrows.empty());
  EXPECT_TRUE(with_arrow(0, 0).arrows.empty());
}

TEST(Arrows, to_or_from_outside_are_not_drawn) {
  EXPECT_TRUE(with_arrow(0, 60).arrows.empty());
  EXPECT_TRUE(with_arrow(absent, 10).arrows.empty());
}

TEST(Arrows, are_a_line_and_a_head_with_a_tooltip_in_svg) {
  const std::string svg = to_svg(with_arrow(30, 0));
  const std::size_t at = svg.find("<g><title>up</title><path d=\"M");
  ASSERT_NE(at, std::string::npos);
  EXPECT_NE(svg.find("Z\" fill=\"#0072B2\"", at), std::string::npos) << svg.substr(at, 300);
}

TEST(Arrows, are_numbers_in_the_terminal) {
  const std::string text = to_terminal(roofline_chart(test::roofline({test::matmul_ladder(false)})), 80);
  for (const char* step : {"1 naive", "2 tiled", "3 register-tiled", "4 tensor-tf32", "5 tensor-bf16"})
    EXPECT_NE(text.find(step), std::string::npos) << text;
}

} // namespace perfmodel::plots::arrows_test
