// Lines that an SM keeps open for stores.
#include "models/simulate/open_lines.hpp"

#include <gtest/gtest.h>

using namespace perfmodel;

// Words of a struct, one store after the other: the first opens three lines, the others find them open.
TEST(OpenLines, take_what_follows_to_them) {
  OpenLines sm(8);
  OpenedLines warp;
  EXPECT_FALSE(sm.take(warp, 3, 0));
  EXPECT_TRUE(sm.take(warp, 3, 1));
  EXPECT_TRUE(sm.take(warp, 3, 1));
}

// Another warp opens three, and three more: eight are kept, so the first three are still open after three
// others and not after six.
TEST(OpenLines, are_closed_by_those_that_follow) {
  OpenLines sm(8);
  OpenedLines one, other;
  EXPECT_FALSE(sm.take(one, 3, 0));
  EXPECT_FALSE(sm.take(other, 3, 0));
  EXPECT_TRUE(sm.take(one, 3, 1));
  EXPECT_FALSE(sm.take(other, 3, 0));
  EXPECT_FALSE(sm.take(one, 3, 1)); // and opens them again
  EXPECT_TRUE(sm.take(one, 3, 1));
}

// Two arrays of structs in turn: the last opening but one is the first array's.
TEST(OpenLines, remember_several_of_a_warp) {
  OpenLines sm(8);
  OpenedLines warp;
  EXPECT_FALSE(sm.take(warp, 2, 0));
  EXPECT_FALSE(sm.take(warp, 2, 0));
  EXPECT_TRUE(sm.take(warp, 2, 2));
  EXPECT_TRUE(sm.take(warp, 2, 1));
}

TEST(OpenLines, none_are_kept_where_there_are_none) {
  OpenLines sm(0);
  OpenedLines warp;
  EXPECT_FALSE(sm.take(warp, 1, 0));
  EXPECT_FALSE(sm.take(warp, 1, 1));
}
