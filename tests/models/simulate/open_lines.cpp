// Lines that an SM keeps open for stores.
#include "models/simulate/open_lines.hpp"

#include <gtest/gtest.h>

using namespace perfmodel;

// Words of a structure of three: behind 20 lines the first store opens three, until cycle 100. An SM keeps
// six: these and as many of another warp.
TEST(OpenLines, take_what_follows_to_them) {
  OpenedLines warp;
  EXPECT_FALSE(warp.has(1, 6, 0, 20)) << "it has opened none";
  warp.open(20, 100);
  EXPECT_TRUE(warp.has(1, 6, 50, 23)) << "nobody else has since";
  EXPECT_TRUE(warp.has(1, 6, 50, 26));
  EXPECT_FALSE(warp.has(1, 6, 50, 27));
  EXPECT_FALSE(warp.has(0, 6, 50, 23)) << "it goes to lines of its own";
  EXPECT_FALSE(warp.has(2, 6, 50, 23)) << "it has opened some once";
  EXPECT_FALSE(warp.has(1, 2, 50, 23)) << "not even these fit";
}

TEST(OpenLines, are_closed_when_l2_has_taken_them) {
  OpenedLines warp;
  warp.open(0, 100);
  EXPECT_TRUE(warp.has(1, 6, 100, 3));
  EXPECT_FALSE(warp.has(1, 6, 101, 3));
}

// Two arrays of structures in turn: the last opening but one is the first array's, two lines of each.
TEST(OpenLines, remember_several_of_a_warp) {
  OpenedLines warp;
  warp.open(0, 100);
  warp.open(2, 200);
  EXPECT_TRUE(warp.has(2, 4, 50, 4));
  EXPECT_FALSE(warp.has(2, 3, 50, 4));
  EXPECT_TRUE(warp.has(1, 3, 50, 4));
  EXPECT_FALSE(warp.has(2, 4, 150, 4));
  EXPECT_TRUE(warp.has(1, 4, 150, 4));
}

TEST(OpenLines, none_are_kept_where_there_are_none) {
  OpenedLines warp;
  warp.open(0, 100);
  EXPECT_FALSE(warp.has(1, 0, 0, 1));
}
