// Points of a roofline that belong together: the steps of a ladder, and a prediction beside what was
// measured.
#include "charts.hpp"

#include "plots/chart/roofline_chart.hpp"

#include <gtest/gtest.h>

namespace perfmodel::plots::roofline_paths_test {

using namespace test;

TEST(RooflinePaths, steps_of_a_path_are_joined_by_arrows_in_their_order) {
  const Chart chart = roofline_chart(roofline({matmul_ladder(false)}));
  ASSERT_EQ(chart.arrows.size(), 4u);
  EXPECT_EQ(chart.arrows[0].from, dot_named(chart, "naive")->at);
  EXPECT_EQ(chart.arrows[0].to, dot_named(chart, "tiled")->at);
  EXPECT_EQ(chart.arrows[3].to, dot_named(chart, "tensor-bf16")->at);
  EXPECT_EQ(chart.arrows[3].colour, dot_named(chart, "tensor-bf16")->colour);
  EXPECT_EQ(chart.arrows[0].title, "naive to tiled: 3.87 times the rate");
  EXPECT_EQ(dot_named(chart, "tensor-tf32")->step, 4);
}

TEST(RooflinePaths, paths_of_another_name_or_device_are_apart) {
  Machine m = matmul_ladder(false);
  m.kernels[4].path = "other", m.kernels[3].path = "";
  const Chart chart = roofline_chart(roofline({m}));
  EXPECT_EQ(chart.arrows.size(), 2u);
  EXPECT_EQ(dot_named(chart, "tensor-tf32")->step, 0);
  EXPECT_EQ(dot_named(chart, "tensor-bf16")->step, 1);
  Machine twin = matmul_ladder(false);
  twin.gpu = "twin";
  EXPECT_EQ(roofline_chart(roofline({matmul_ladder(false), twin})).arrows.size(), 8u);
}

TEST(RooflinePaths, a_prediction_is_solid_and_a_small_dot_beside_what_was_measured) {
  const Chart predicted = roofline_chart(roofline({matmul_ladder(false)}));
  EXPECT_TRUE(dot_named(predicted, "tiled")->filled);
  EXPECT_EQ(dot_named(predicted, "tiled")->at.y, 8.52e12);
  const Chart measured = roofline_chart(roofline({matmul_ladder(true)}));
  const ChartDot* tiled = dot_named(measured, "tiled");
  EXPECT_FALSE(tiled->filled);
  EXPECT_EQ(tiled->at.y, 8.11e12);
  const ChartDot& inner = *(tiled + 1);
  EXPECT_TRUE(inner.filled && inner.label.empty() && inner.radius < tiled->radius);
  EXPECT_EQ(inner.at.y, 8.52e12);
  EXPECT_EQ(measured.arrows.size(), 4u) << "joins what was measured";
  EXPECT_EQ(measured.arrows[0].to.y, 8.11e12);
}

TEST(RooflinePaths, a_prediction_above_its_roof_is_a_warning_too) {
  Machine m = matmul_ladder(false);
  m.kernels[1].predicted = 50e12;
  EXPECT_TRUE(dot_named(roofline_chart(roofline({m})), "tiled, 114 %")->warning);
}

TEST(RooflinePaths, no_arrow_joins_points_that_coincide) {
  const Chart chart = roofline_chart(roofline({upright_ladder(true)}));
  EXPECT_EQ(chart.dots.size(), 1 + 9u) << "what is predicted would lie on the arrows";
  EXPECT_EQ(chart.arrows.size(), 6u); // of eight steps, two lead to where the one before was
}

TEST(RooflinePaths, no_arrow_leads_to_a_point_that_is_not_drawn) {
  Machine m = matmul_ladder(false);
  m.kernels[2].intensity = 1e-30;
  EXPECT_EQ(roofline_chart(roofline({m})).arrows.size(), 2u);
}

} // namespace perfmodel::plots::roofline_paths_test
