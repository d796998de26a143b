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

// Rooms for 0.5 to 1.5 times 80 lines: of a walk through half of them nothing is lost, of one through all of
// them what four of eight sets have, of one and a half times as many all.
TEST(L1Sectors, between_its_first_set_and_its_last_a_walk_loses_set_after_set) {
  const auto hits_of_round = [](std::uint64_t lines) {
    L1Sectors l1(80 * 128, {.first = 0.5, .last = 1.5});
    std::uint64_t hits = 0;
    for (int round = 0; round < 3; ++round) {
      hits = 0;
      for (std::uint64_t line = 0; line < lines; ++line) hits += l1.load(4 * line) ? 1 : 0;
    }
    return hits;
  };
  EXPECT_EQ(hits_of_round(40), 40);
  EXPECT_EQ(hits_of_round(80), 40);
  EXPECT_EQ(hits_of_round(120), 0);
}

// Eight lines of room: behind as many stores to other lines nothing is left, and no load is served of those.
TEST(L1Sectors, stores_take_up_lines) {
  L1Sectors l1(8 * 128);
  l1.load(0);
  for (std::uint64_t line = 1; line < 8; ++line) l1.store(4 * line);
  EXPECT_TRUE(l1.load(0));
  EXPECT_FALSE(l1.load(4));
  for (std::uint64_t line = 11; line < 19; ++line) l1.store(4 * line);
  EXPECT_FALSE(l1.load(0));
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
