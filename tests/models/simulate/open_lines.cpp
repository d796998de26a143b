// Lines that an SM keeps open for stores.
#include "models/simulate/open_lines.hpp"

#include <gtest/gtest.h>

using namespace perfmodel;

// Words of a structure of three: the first store opens three lines until cycle 100. An SM keeps six: its own
// and as many of another warp.
TEST(OpenLines, take_what_follows_to_them) {
  OpenedLines warp;
  EXPECT_FALSE(warp.has(1, 6, 0)) << "it has opened none";
  warp.open(3, 100);
  EXPECT_TRUE(warp.has(1, 6, 50));
  EXPECT_FALSE(warp.has(0, 6, 50)) << "it goes to lines of its own";
  EXPECT_FALSE(warp.has(2, 6, 50)) << "it has opened some once";
  EXPECT_FALSE(warp.has(1, 5, 50));
}

TEST(OpenLines, are_closed_when_l2_has_taken_them) {
  OpenedLines warp;
  warp.open(3, 100);
  EXPECT_TRUE(warp.has(1, 6, 100));
  EXPECT_FALSE(warp.has(1, 6, 101));
}

// Two arrays of structures in turn: the last opening but one is the first array's, two lines of each.
TEST(OpenLines, remember_several_of_a_warp) {
  OpenedLines warp;
  warp.open(2, 100);
  warp.open(2, 200);
  EXPECT_TRUE(warp.has(2, 8, 50));
  EXPECT_FALSE(warp.has(2, 7, 50)) << "four of two warps";
  EXPECT_TRUE(warp.has(1, 7, 50));
  EXPECT_FALSE(warp.has(2, 8, 150));
  EXPECT_TRUE(warp.has(1, 8, 150));
}

TEST(OpenLines, none_are_kept_where_there_are_none) {
  OpenedLines warp;
  warp.open(1, 100);
  EXPECT_FALSE(warp.has(1, 0, 0));
}
