#include "touched_blocks.hpp"

#include <gtest/gtest.h>

#include <cmath>

// Kernels whose footprints are known: worked by hand.
namespace perfmodel::footprint_test {

TEST(Footprint, blocks_of_a_copy_share_nothing) {
  Blocks blocks(3);
  for (std::size_t b = 0; b < 3; ++b) blocks.read(b, 16 * b, 16), blocks.write(b, 16 * b, 16, ~0U);
  const Growth read = growth_of_loads(blocks.neighbours(2), 0, 64, no_rows, huge),
               written = growth_of_stores(blocks.neighbours(2), 0, 32, no_rows, huge);
  EXPECT_DOUBLE_EQ(read.one, 1024);
  EXPECT_DOUBLE_EQ(read.x, 1);
  EXPECT_DOUBLE_EQ(read.y, 0); // a grid of one row
  EXPECT_DOUBLE_EQ(read.of(1000, 1), 1024 * 1000);
  EXPECT_DOUBLE_EQ(written.one, 512);
  EXPECT_DOUBLE_EQ(written.x, 1);
  EXPECT_DOUBLE_EQ(written.filled, 0);
}

// As of rows of 257 columns in blocks of 32: the last block of a row has one column.
TEST(Footprint, blocks_at_an_edge_say_nothing_of_the_others) {
  Blocks blocks(3);
  for (std::size_t b = 0; b < 3; ++b) blocks.read(b, 32 * b, b == 2 ? 1 : 32);
  EXPECT_DOUBLE_EQ(growth_of_loads(blocks.neighbours(2), 0, 64, no_rows, huge).x, 1);
  Blocks alone(2); // nothing but the edge follows
  alone.read(0, 0, 32), alone.read(1, 32, 8);
  EXPECT_DOUBLE_EQ(growth_of_loads(alone.neighbours(1), 0, 64, no_rows, huge).x, 0.25);
}

// Tiles of 32 words square: a row of one is a line of 128 B, 4 sectors; a matrix of 4096 words a row has 512
// sectors to the row.
TEST(Footprint,
     tiles_written_to_their_transposed_places_are_stretches_that_no_block_launched_next_goes_on_with) {
  Blocks copied(3), transposed(3), wide(3);
  for (std::size_t b = 0; b < 3; ++b)
    for (std::uint64_t row = 0; row < 32; ++row) {
      copied.write(b, 512 * row + 4 * b, 4, ~0U);
      transposed.write(b, 512 * (32 * b + row), 4, ~0U);
      wide.write(b, 512 * (32 * b + row), 8, ~0U); // rows of 64 words, as long as a row reaches
    }
  const Growth copy = growth_of_stores(copied.neighbours(2), 0, 32, no_rows, huge),
               tile = growth_of_stores(transposed.neighbours(2), 0, 32, no_rows, huge),
               wide_tile = growth_of_stores(wide.neighbours(2), 0, 32, no_rows, huge);
  EXPECT_DOUBLE_EQ(copy.short_stretches, 0);
  EXPECT_DOUBLE_EQ(copy.long_stretches, 0);
  EXPECT_DOUBLE_EQ(tile.short_stretches, 1);
  EXPECT_DOUBLE_EQ(tile.long_stretches, 0);
  EXPECT_DOUBLE_EQ(wide_tile.short_stretches, 0);
  EXPECT_DOUBLE_EQ(wide_tile.long_stretches, 1);
}

// C = A B in tiles of 16: blocks of a row (x) share A's rows, those of a column (y) share B's columns.
TEST(Footprint, blocks_of_a_matrix_product_share_rows_and_columns) {
  Blocks a(3), b(3);
  a.read(0, 0, 64), a.read(1, 0, 64), a.read(2, 64, 64);
  b.read(0, 0, 64), b.read(1, 64, 64), b.read(2, 0, 64);
  const Growth of_a = growth_of_loads(a.neighbours(1), 0, 32, no_rows, huge),
               of_b = growth_of_loads(b.neighbours(1), 0, 32, no_rows, huge);
  EXPECT_DOUBLE_EQ(of_a.x, 0);
  EXPECT_DOUBLE_EQ(of_a.y, 1);
  EXPECT_DOUBLE_EQ(of_b.x, 1);
  EXPECT_DOUBLE_EQ(of_b.y, 0);
  EXPECT_DOUBLE_EQ(of_a.of(8, 8), 64 * 32 * 8); // eight rows of tiles, not sixty-four
}

// Each block reads 32 atoms of its own and one on each side.
TEST(Footprint, blocks_of_a_stencil_share_their_edges) {
  Blocks blocks(3);
  for (std::size_t b = 0; b < 3; ++b) blocks.read(b, 100 + 32 * b - 1, 34);
  const Growth growth = growth_of_loads(blocks.neighbours(2), 0, 32, no_rows, huge);
  EXPECT_DOUBLE_EQ(growth.x, 32.0 / 34);
  EXPECT_DOUBLE_EQ(growth.of(10, 1), 32 * (34 + 9 * 32));
}

// Two neighbours in one atom of 64 B: the second adds nothing, the third and fourth an atom between them.
TEST(Footprint, neighbours_that_share_an_atom_read_it_once) {
  Blocks blocks(4);
  for (std::size_t b = 0; b < 4; ++b) blocks.read(b, b / 2, 1);
  const Growth growth = growth_of_loads(blocks.neighbours(3), 0, 64, no_rows, huge);
  EXPECT_DOUBLE_EQ(growth.x, 1.0 / 3);
  EXPECT_DOUBLE_EQ(growth.one, 64);
}

TEST(Footprint, is_at_most_the_allocation) {
  Blocks blocks(2);
  blocks.read(0, 0, 4), blocks.read(1, 4, 4);
  const Growth growth = growth_of_loads(blocks.neighbours(1), 0, 32, no_rows, 1000);
  EXPECT_DOUBLE_EQ(growth.of(7, 1), 896);
  EXPECT_DOUBLE_EQ(growth.of(8, 1), 1000);
}

TEST(Footprint, of_a_block_that_reads_nothing_is_empty) {
  const Blocks blocks(2);
  const Growth growth = growth_of_loads(blocks.neighbours(1), 0, 32, no_rows, huge);
  EXPECT_DOUBLE_EQ(growth.of(100, 100), 0);
  EXPECT_DOUBLE_EQ(growth.per_byte, 1);
}

// One atom of 32 B in each 256 B costs the opening of a row, worth 128 B; whole rows cost their bytes.
TEST(Footprint, what_touches_rows_in_part_pays_for_their_opening) {
  Blocks sparse(2), dense(2);
  for (std::uint64_t b = 0; b < 2; ++b) {
    for (std::uint64_t i = 0; i < 8; ++i) sparse.read(b, 8 * (8 * b + i), 1);
    dense.read(b, 64 * b, 64);
  }
  const Rows rows{.row_reach = 256, .read_row = 128};
  EXPECT_DOUBLE_EQ(growth_of_loads(sparse.neighbours(1), 0, 32, rows, huge).per_byte, 4);
  EXPECT_DOUBLE_EQ(growth_of_loads(dense.neighbours(1), 0, 32, rows, huge).per_byte, 1);
}

// A store of a byte makes the sector be read; one of its 32 bytes does not.
TEST(Footprint, sectors_that_are_written_in_part_are_read_before) {
  Blocks blocks(2);
  blocks.write(0, 0, 4, ~0U);
  blocks.write(0, 4, 4, 0xff);
  blocks.write(1, 100, 8, ~0U);
  const Growth growth = growth_of_stores(blocks.neighbours(1), 0, 32, no_rows, huge);
  EXPECT_DOUBLE_EQ(growth.one, 8 * 32);
  EXPECT_DOUBLE_EQ(growth.filled, 0.5); // 4 of the block's own 8
}

// As words that are changed in place: L2 has their sectors whole.
TEST(Footprint, sectors_that_were_loaded_are_not_read_again_before_they_are_written_in_part) {
  Blocks blocks(2);
  blocks.read(0, 0, 2);
  blocks.write(0, 0, 4, 0xff);
  const Growth growth = growth_of_stores(blocks.neighbours(1), 0, 32, no_rows, huge);
  EXPECT_DOUBLE_EQ(growth.filled, 0.5); // two of its four
  // In atoms of 64 bytes they are four.
  EXPECT_DOUBLE_EQ(growth_of_stores(blocks.neighbours(1), 0, 64, no_rows, huge).filled, 0);
}

TEST(Footprint, two_blocks_can_fill_a_sector_together) {
  Blocks blocks(2);
  blocks.write(0, 0, 1, 0x0000ffff);
  blocks.write(1, 0, 1, 0xffff0000);
  const Growth growth = growth_of_stores(blocks.neighbours(1), 0, 32, no_rows, huge);
  EXPECT_DOUBLE_EQ(growth.filled, 0);
  EXPECT_DOUBLE_EQ(growth.x, 0);
}

// A line that is written in part opens a row: 32 B written count 128. The 32 that fill it open another, at
// 100 B, if no other fill lies within 256; else they are read beside, unless the launch reads nothing else.
TEST(Footprint, lines_that_are_written_in_part_pay_for_a_row) {
  const Rows rows{.read_row = 100, .written_row = 128};
  Blocks blocks(1);
  blocks.write(0, 0, 1, 0xf);
  EXPECT_DOUBLE_EQ(growth_of_stores(blocks.neighbours(0), 0, 32, rows, huge).per_byte, 228 / 32.0);
  EXPECT_DOUBLE_EQ(growth_of_stores(blocks.neighbours(0), 0, 32, no_rows, huge).per_byte, 2);
  blocks.write(0, 4, 1, 0xf); // the line behind it
  const Growth two = growth_of_stores(blocks.neighbours(0), 0, 32, rows, huge);
  EXPECT_DOUBLE_EQ(two.per_byte, 4);
  EXPECT_DOUBLE_EQ(two.per_byte_alone, 160 / 32.0);
  blocks.write(0, 0, 8, ~0U);
  EXPECT_DOUBLE_EQ(growth_of_stores(blocks.neighbours(0), 0, 32, rows, huge).per_byte, 1);
}

// Half a line each, of a row that two blocks change: each reads its half while L2 may hold what the other has
// changed. Whole lines, what is only stored, and halves that no block beside it loads are nobody's business.
TEST(Footprint, lines_that_blocks_share_are_changed_beside_each_other) {
  const auto changed = [](std::uint64_t sectors, bool loaded, std::uint64_t next) {
    Blocks blocks(2);
    for (std::size_t b = 0; b < 2; ++b) {
      if (loaded) blocks.read(b, b * next, sectors);
      blocks.write(b, b * next, sectors, ~0U);
    }
    return growth_of_stores(blocks.neighbours(1), 0, 32, no_rows, huge).changed_beside;
  };
  EXPECT_DOUBLE_EQ(changed(2, true, 2), 1);
  EXPECT_DOUBLE_EQ(changed(4, true, 4), 0) << "whole lines";
  EXPECT_DOUBLE_EQ(changed(2, false, 2), 0) << "not loaded";
  EXPECT_DOUBLE_EQ(changed(2, true, 4), 0) << "another line";
  EXPECT_DOUBLE_EQ(changed(6, true, 6), 2.0 / 6) << "of the second line a half";
  Blocks below(2); // launched long after
  for (std::size_t b = 0; b < 2; ++b) below.read(b, 2 * b, 2), below.write(b, 2 * b, 2, ~0U);
  EXPECT_DOUBLE_EQ(growth_of_stores(below.neighbours(0), 0, 32, no_rows, huge).changed_beside, 0);
}

// A line that a block changes: its halves by two warps, or a sector by both; not by one warp, nor where each
// of two fills all of it, one after the other.
TEST(Footprint, lines_that_warps_share_are_changed_beside_each_other) {
  constexpr std::uint32_t whole = StoredSector::whole;
  const auto changed = [](std::vector<std::uint32_t> first_half, std::vector<std::uint32_t> second_half,
                          bool loaded = true) {
    Blocks blocks(1);
    if (loaded) blocks.read(0, 0, 4);
    auto& stores = blocks.all[0].stores[0];
    for (const std::uint32_t by : first_half) stores[0].store(~0U, by, 0), stores[1].store(~0U, by, 0);
    for (const std::uint32_t by : second_half) stores[2].store(~0U, by, 0), stores[3].store(~0U, by, 0);
    return growth_of_stores(blocks.neighbours(0), 0, 32, no_rows, huge).changed_beside;
  };
  EXPECT_DOUBLE_EQ(changed({0}, {1}), 1);
  EXPECT_DOUBLE_EQ(changed({0}, {1}, false), 0) << "not in place";
  EXPECT_DOUBLE_EQ(changed({0}, {0}), 0);
  EXPECT_DOUBLE_EQ(changed({0, 1}, {}), 1) << "the same sectors";
  EXPECT_DOUBLE_EQ(changed({whole, whole}, {whole, whole}), 0);
  EXPECT_DOUBLE_EQ(changed({whole, 0}, {whole, 0}), 0) << "another part of what a warp has filled";
}

// The next blocks read the same atoms, those sixteen further on others.
TEST(Footprint, what_neighbours_share_blocks_further_on_may_not) {
  Blocks near(2), far(1);
  for (std::size_t b = 0; b < 2; ++b) near.read(b, 0, 100);
  far.read(0, 100, 100);
  Growth growth = growth_of_loads(near.neighbours(1), 0, 64, no_rows, huge);
  EXPECT_DOUBLE_EQ(growth.x, 0);
  set_growth_from_afar(growth, near.all[0], 0, {.distance = 16, .block = far.all.data()});
  EXPECT_DOUBLE_EQ(growth.of(161, 1), 6400 * 11);
  set_growth_from_afar(growth, near.all[0], 0, {});
  EXPECT_DOUBLE_EQ(growth.of(161, 1), 6400 * 11) << "nobody has looked";
}

} // namespace perfmodel::footprint_test
