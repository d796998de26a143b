#include "plots/layout/geometry.hpp"

#include <gtest/gtest.h>

namespace perfmodel::plots::geometry_test {

const Quad unit_square = quad_of({0, 0, 10, 10});

TEST(Geometry, boxes_that_share_only_an_edge_do_not_overlap) {
  EXPECT_FALSE(intersects(unit_square, quad_of({10, 0, 20, 10})));
  EXPECT_TRUE(intersects(unit_square, quad_of({9.9, 0, 20, 10})));
  EXPECT_TRUE(intersects(unit_square, quad_of({2, 2, 3, 3})));
}

TEST(Geometry, a_turned_box_passes_the_corner_its_bounds_would_hit) {
  const Quad diamond = turned({15, 15}, 10, 10, 45); // its bounds reach to 7.93, its edge to (11.5, 11.5)
  EXPECT_FALSE(intersects(unit_square, diamond));
  EXPECT_TRUE(intersects(unit_square, turned({13, 13}, 10, 10, 45)));
}

TEST(Geometry, a_line_through_a_box_touches_it_and_one_beside_it_does_not) {
  EXPECT_TRUE(intersects(unit_square, Segment{{-5, 5}, {15, 5}}));
  EXPECT_TRUE(intersects(unit_square, Segment{{4, 4}, {6, 6}}));
  EXPECT_FALSE(intersects(unit_square, Segment{{-5, 6}, {6, 17}}));
  EXPECT_FALSE(intersects(unit_square, Segment{{20, 0}, {20, 10}}));
}

TEST(Geometry, clipping_keeps_what_is_inside) {
  const auto kept = clip(Segment{{-5, 5}, {15, 5}}, {0, 0, 10, 10});
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->a, (Point{0, 5}));
  EXPECT_EQ(kept->b, (Point{10, 5}));
  EXPECT_FALSE(clip(Segment{{-5, -5}, {-1, 20}}, {0, 0, 10, 10}));
}

TEST(Geometry, a_polygon_is_cut_to_the_frame) {
  const auto kept = clip({{-5, -5}, {5, -5}, {5, 5}, {-5, 5}}, {0, 0, 10, 10});
  EXPECT_EQ(kept.size(), 4u);
  for (const Point p : kept) EXPECT_TRUE((Rect{0, 0, 10, 10}).holds(p));
  EXPECT_TRUE(clip({{20, 20}, {30, 20}, {30, 30}}, {0, 0, 10, 10}).empty());
}

} // namespace perfmodel::plots::geometry_test
