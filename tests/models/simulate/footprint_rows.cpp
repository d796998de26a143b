// How what blocks touch grows along a row of them, and along both sides of a grid: worked by hand.
#include "touched_blocks.hpp"

#include <gtest/gtest.h>

namespace perfmodel::footprint_test {

// Nine diagonals four blocks apart: the next three blocks share nothing with one, each further block but one
// ninth. A block reads nine pieces of 16 atoms.
TEST(Footprint, a_row_of_blocks_shows_what_they_share_with_blocks_further_away) {
  Blocks blocks(64);
  for (std::size_t b = 0; b < 64; ++b)
    for (std::uint64_t diagonal = 0; diagonal < 9; ++diagonal) blocks.read(b, 16 * (b + 4 * diagonal), 16);
  Neighbours near = blocks.neighbours(3);
  near.below.clear();
  EXPECT_DOUBLE_EQ(growth_of_loads(near, 0, 64, no_rows, huge).x, 1);
  for (const BlockFootprint& block : blocks.all) near.row.push_back(&block);
  const Growth growth = growth_of_loads(near, 0, 64, no_rows, huge);
  const double piece = 16 * 64;
  EXPECT_DOUBLE_EQ(growth.of(1, 1), 9 * piece);
  EXPECT_DOUBLE_EQ(growth.of(32, 1), (32 + 32) * piece);
  EXPECT_DOUBLE_EQ(growth.of(64, 1), (64 + 32) * piece);
  EXPECT_DOUBLE_EQ(growth.of(10'000, 1), (10'000 + 32) * piece);
  // A row of blocks that share nothing is what the neighbours say.
  Blocks apart(64);
  for (std::size_t b = 0; b < 64; ++b) apart.read(b, 16 * b, 16);
  near = apart.neighbours(3);
  for (const BlockFootprint& block : apart.all) near.row.push_back(&block);
  EXPECT_TRUE(growth_of_loads(near, 0, 64, no_rows, huge).row.empty());
}

// Distances of all pairs: a block reads the rows of its place in x and those of its place in y, of one array.
TEST(Footprint, parts_by_places_in_x_and_in_y_add_up) {
  Blocks blocks(4); // itself, in x, in y, in both
  for (const std::uint64_t x : {0, 1})
    for (const std::uint64_t y : {0, 1}) {
      blocks.read(x + 2 * y, 16 * x, 16);
      blocks.read(x + 2 * y, 1600 + 16 * y, 16);
    }
  Neighbours near{.block = &blocks.all[0], .right = {&blocks.all[1]}, .below = {&blocks.all[2]}};
  EXPECT_DOUBLE_EQ(growth_of_loads(near, 0, 32, no_rows, huge).of(100, 100), 1024 * 50.5 * 50.5)
      << "not known";
  near.square = {&blocks.all[1], &blocks.all[2], &blocks.all[3]};
  EXPECT_DOUBLE_EQ(growth_of_loads(near, 0, 32, no_rows, huge).of(100, 100), 512 * (100 + 100));
  // Tiles of a plane adjoin.
  Blocks tiles(4);
  for (std::size_t b = 0; b < 4; ++b) tiles.read(b, 100 * b, 16);
  near = {.block = &tiles.all[0], .right = {&tiles.all[1]}, .below = {&tiles.all[2]}};
  near.square = {&tiles.all[1], &tiles.all[2], &tiles.all[3]};
  EXPECT_DOUBLE_EQ(growth_of_loads(near, 0, 32, no_rows, huge).across, 1);
}

} // namespace perfmodel::footprint_test
