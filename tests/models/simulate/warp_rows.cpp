#include "models/simulate/warp_rows.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace perfmodel::warp_rows_test {

TEST(WarpRows, whole_blocks_fill_an_sm) {
  WarpRows rows(16);
  for (std::size_t block = 0; block < 8; ++block) EXPECT_EQ(rows.take(8, 4), 2 * block);
  EXPECT_FALSE(rows.take(8, 4));
}

TEST(WarpRows, a_row_is_free_when_its_warps_have_left) {
  WarpRows rows(4);
  ASSERT_EQ(rows.take(16, 4), 0u);
  for (int warp = 0; warp < 4; ++warp) {
    EXPECT_FALSE(rows.take(4, 4)) << warp;
    rows.leave(2);
  }
  EXPECT_EQ(rows.take(4, 4), 2u);
}

// All but the first warp of a block that begins with that row.
void leave_alone(WarpRows& rows, std::size_t first, std::size_t warps) {
  for (std::size_t i = 1; i < warps; ++i) rows.leave(first + i / 4);
}

// Blocks of 16 warps in 16 rows, of each of which the first warp stays: between them are three free rows, and
// a block needs four. When the second has ended there are seven, and room for four blocks, each in the rows
// that the one before has left. On an H200 (28 November 2026) 11 such blocks were seen together, where four
// are that stay whole.
TEST(WarpRows, a_block_that_ends_between_others_leaves_room_for_several) {
  WarpRows rows(16);
  for (std::size_t block = 0; block < 4; ++block) EXPECT_EQ(rows.take(16, 4), 4 * block);
  for (std::size_t block = 0; block < 4; ++block) leave_alone(rows, 4 * block, 16);
  EXPECT_FALSE(rows.take(16, 4));
  rows.leave(4);
  for (std::size_t first = 1; first <= 4; ++first) {
    EXPECT_EQ(rows.take(16, 4), first);
    leave_alone(rows, first, 16);
  }
  EXPECT_FALSE(rows.take(16, 4));
}

// Of 32 warps there are never more than two, as was seen.
TEST(WarpRows, of_the_longest_blocks_two_are_there_at_most) {
  WarpRows rows(16);
  for (const std::size_t first : {0u, 8u}) EXPECT_EQ(rows.take(32, 4), first);
  for (const std::size_t first : {0u, 8u}) leave_alone(rows, first, 32);
  EXPECT_FALSE(rows.take(32, 4));
  rows.leave(0);
  EXPECT_EQ(rows.take(32, 4), 0u);
  leave_alone(rows, 0, 32);
  EXPECT_FALSE(rows.take(32, 4));
}

} // namespace perfmodel::warp_rows_test
