#include "models/simulate/l1_sectors.hpp"

#include <gtest/gtest.h>

namespace perfmodel::l1_sectors_test {

// A miss of one sector does not bring the others of its line.
TEST(L1Sectors, a_sector_is_there_once_it_was_read) {
  L1Sectors l1(1024);
  EXPECT_FALSE(l1.load(5));
  EXPECT_TRUE(l1.load(5));
  EXPECT_FALSE(l1.load(6));
  EXPECT_TRUE(l1.load(6));
  EXPECT_TRUE(l1.load(5));
}

TEST(L1Sectors, the_line_that_was_used_longest_ago_goes_first) {
  L1Sectors l1(2 * 128);
  l1.load(0), l1.load(4);
  EXPECT_TRUE(l1.load(0)); // line 1 is the older one now
  EXPECT_FALSE(l1.load(8));
  EXPECT_TRUE(l1.load(0));
  EXPECT_FALSE(l1.load(4));
  EXPECT_FALSE(l1.load(8)); // gone for line 1
}

TEST(L1Sectors, a_line_that_comes_back_has_its_new_sector_only) {
  L1Sectors l1(128);
  l1.load(0), l1.load(1), l1.load(4);
  EXPECT_FALSE(l1.load(1));
  EXPECT_FALSE(l1.load(0));
}

// As many lines as there are, and one more, in turns: all hits, and none.
TEST(L1Sectors, a_walk_that_is_one_line_too_long_never_hits) {
  for (const std::uint64_t lines : {std::uint64_t{8}, std::uint64_t{9}}) {
    L1Sectors l1(8 * 128);
    int hits = 0;
    for (int turn = 0; turn < 3; ++turn)
      for (std::uint64_t line = 0; line < lines; ++line) hits += l1.load(4 * line) ? 1 : 0;
    EXPECT_EQ(hits, lines == 8 ? 16 : 0);
  }
}

TEST(L1Sectors, none_hold_nothing) {
  L1Sectors l1(127);
  EXPECT_FALSE(l1.load(1));
  EXPECT_FALSE(l1.load(1));
}

// Of local memory, what L2 does not have yet stays.
TEST(L1Sectors, empties_but_for_what_was_changed) {
  L1Sectors l1(1024);
  l1.load(0), l1.load(1), l1.load(4);
  l1.change(1);
  l1.empty();
  EXPECT_DOUBLE_EQ(l1.held(), 128);
  EXPECT_TRUE(l1.load(1));
  EXPECT_FALSE(l1.load(0));
  EXPECT_FALSE(l1.load(4));
}

} // namespace perfmodel::l1_sectors_test
