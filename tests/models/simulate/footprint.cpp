#include "models/simulate/footprint.hpp"

#include <gtest/gtest.h>

#include <cmath>

// Kernels whose footprints are known: worked by hand.
namespace perfmodel::footprint_test {

constexpr double huge = 1e18;
constexpr Rows no_rows{};

// Blocks of one allocation that is read, each of its atoms.
struct Blocks {
  std::vector<BlockFootprint> all;
  explicit Blocks(std::size_t count) { all.assign(count, BlockFootprint(1)); }
  void read(std::size_t block, std::uint64_t from, std::uint64_t count) {
    for (std::uint64_t atom = from; atom < from + count; ++atom) all[block].loads[0][atom] = 0;
  }
  void write(std::size_t block, std::uint64_t from, std::uint64_t count, std::uint32_t bytes) {
    for (std::uint64_t sector = from; sector < from + count; ++sector) all[block].stores[0][sector] |= bytes;
  }
  // The first, those that follow it in x, and after them those in y.
  Neighbours neighbours(std::size_t right) const {
    Neighbours made{.block = all.data(), .right = {}, .below = {}};
    for (std::size_t i = 1; i < all.size(); ++i) (i <= right ? made.right : made.below).push_back(&all[i]);
    if (right > 0) made.beside = {&all[1]};
    return made;
  }
};

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

// A line that is written in part opens a row: 32 B written and read for filling them count 128.
TEST(Footprint, lines_that_are_written_in_part_pay_for_a_row) {
  Blocks blocks(1);
  blocks.write(0, 0, 1, 0xf);
  EXPECT_DOUBLE_EQ(growth_of_stores(blocks.neighbours(0), 0, 32, {.written_row = 128}, huge).per_byte, 4);
  EXPECT_DOUBLE_EQ(growth_of_stores(blocks.neighbours(0), 0, 32, no_rows, huge).per_byte, 2);
  blocks.write(0, 0, 4, ~0U);
  EXPECT_DOUBLE_EQ(growth_of_stores(blocks.neighbours(0), 0, 32, {.written_row = 128}, huge).per_byte, 1);
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

// y[i] = x[i] of 1000 blocks with 1000 B each.
TEST(DeviceTraffic, cold_all_is_read_once_and_warm_nothing) {
  const Growth loads[] = {{.one = 1000, .x = 1, .most = 1e6}, {}},
               stores[] = {{}, {.one = 1000, .x = 1, .most = 1e6}};
  const GridShape grid{.x = 1000, .wave = 100};
  const DeviceTraffic cold = device_traffic(loads, stores, grid, {3e6}, false);
  EXPECT_DOUBLE_EQ(cold.touched, 2e6);
  EXPECT_DOUBLE_EQ(cold.read[0], 1e6);
  EXPECT_DOUBLE_EQ(cold.written, 0); // a third of L2 holds it
  EXPECT_DOUBLE_EQ(cold.left, 1e6);  // and writes it later
  const DeviceTraffic warm = device_traffic(loads, stores, grid, {2e6}, true);
  EXPECT_DOUBLE_EQ(warm.read[0], 0);
  EXPECT_DOUBLE_EQ(warm.written, 0); // what is written again lies in L2, written
  EXPECT_DOUBLE_EQ(warm.left, 0);
}

TEST(DeviceTraffic, what_does_not_fit_l2_is_never_warm) {
  const Growth loads[] = {{.one = 1000, .x = 1, .most = 1e6}, {}},
               stores[] = {{}, {.one = 1000, .x = 1, .most = 1e6}};
  const DeviceTraffic warm = device_traffic(loads, stores, {.x = 1000, .wave = 100}, {1.5e6}, true);
  EXPECT_DOUBLE_EQ(warm.read[0], 1e6);
  EXPECT_DOUBLE_EQ(warm.written, 0.5e6);
  EXPECT_DOUBLE_EQ(warm.written + warm.left, 1e6);
}

// x[i] += 1: what is read and what is written are the same megabyte.
TEST(DeviceTraffic, what_is_changed_in_place_takes_its_room_once) {
  const Growth one[] = {{.one = 1000, .x = 1, .most = 1e6}};
  const DeviceTraffic warm = device_traffic(one, one, {.x = 1000, .wave = 100}, {1e6}, true);
  EXPECT_DOUBLE_EQ(warm.touched, 1e6);
  EXPECT_DOUBLE_EQ(warm.read[0], 0);
  EXPECT_DOUBLE_EQ(warm.written, 0);
}

// Read by one SM it lies in the far half every other time. Of two readers the second finds it there if it is
// in the other half than the first: once the half of both, 1/2 + 1/4 of the lines are fetched from there.
TEST(FarHalf, is_asked_once_for_a_line_by_the_first_beyond_it) {
  EXPECT_DOUBLE_EQ(far_chance(1, false), 0.5);
  EXPECT_DOUBLE_EQ(far_chance(2, false), 0.75 / 2);
  EXPECT_NEAR(far_chance(1000, false), 1e-3, 1e-9);
  // Fetched by device memory before: only where that was for an SM of the line's own half.
  EXPECT_DOUBLE_EQ(far_chance(2, true), 0.25);
  EXPECT_DOUBLE_EQ(far_chance(3, true), 0.5 * 0.75 / 2);
}

// Two megabytes in an L2 of 3 MB whose halves keep copies, so that of data for all SMs it holds 1.5: a line
// that one SM touches takes 1.5 times its size, 1 MB read and 1 MB written take 3 MB; 1.5 and 1 MB would take
// 3.75.
TEST(DeviceTraffic, from_one_launch_to_the_next_l2_keeps_more_than_what_all_sms_share) {
  const Growth stores[] = {{}, {.one = 1000, .x = 1, .most = 1e6}};
  const auto read = [&](double most) {
    const Growth loads[] = {{.one = most / 1000, .x = 1, .most = most}, {}};
    return device_traffic(loads, stores, {.x = 1000, .wave = 100}, {1.5e6, 3e6}, true).read[0];
  };
  EXPECT_DOUBLE_EQ(read(1e6), 0);
  EXPECT_DOUBLE_EQ(read(1.5e6), 1.5e6);
}

// All blocks read the same megabyte. A wave of 100 blocks and what it leaves do not fit: each of the ten
// waves reads it again.
TEST(DeviceTraffic, waves_that_do_not_fit_l2_read_again) {
  const Growth loads[] = {{.one = 1e6, .x = 0, .most = 1e6}, {.one = 1e4, .x = 1, .most = 1e7}};
  const GridShape grid{.x = 1000, .wave = 100};
  const DeviceTraffic small = device_traffic(loads, {}, grid, {3.9e6}, false),
                      large = device_traffic(loads, {}, grid, {4.1e6}, false);
  EXPECT_DOUBLE_EQ(small.read[0], 10e6);
  EXPECT_DOUBLE_EQ(small.read[1], 1e7); // nobody reads it twice
  EXPECT_DOUBLE_EQ(large.read[0], 1e6);
}

// 1000 blocks of 1000 bytes each, which a block reads a second time when L2 has them no more. Where ten
// blocks of a wave read the same, they bring it back for one another.
TEST(DeviceTraffic, what_l2_has_lost_is_read_again_by_blocks_that_share_it_with_none) {
  const auto read = [](double alike, double l2, bool warm) {
    const Growth loads[] = {{.one = 1000, .x = 1 / alike, .most = 1e6 / alike, .lost = 1000}};
    return device_traffic(loads, {}, {.x = 1000, .wave = 100}, {l2}, warm).read[0];
  };
  EXPECT_DOUBLE_EQ(read(1, 0.5e6, false), 2e6);
  EXPECT_DOUBLE_EQ(read(1, 0.5e6, true), 2e6);
  EXPECT_DOUBLE_EQ(read(1, 2e6, false), 1e6) << "all of it fits";
  EXPECT_DOUBLE_EQ(read(1, 2e6, true), 0);
  EXPECT_DOUBLE_EQ(read(10, 5e3, false), read(10, 5e3, true));
  EXPECT_LT(read(10, 5e3, false), 0.2e6);
}

// A wave is as many rows of blocks as it has: 100 blocks of a grid of 10 columns are 10 rows.
TEST(DeviceTraffic, a_wave_is_a_rectangle_of_the_grid) {
  const Growth loads[] = {{.one = 1000, .x = 0, .y = 1, .most = 1e9},
                          {.one = 1000, .x = 1, .y = 0, .most = 1e9}};
  const DeviceTraffic traffic = device_traffic(loads, {}, {.x = 10, .y = 100, .wave = 100}, {1e4}, false);
  EXPECT_DOUBLE_EQ(traffic.touched, 1000 * (100 + 10));
  EXPECT_DOUBLE_EQ(traffic.read[0], 1e5); // rows of one wave are not those of another
  EXPECT_DOUBLE_EQ(traffic.read[1], 10 * 1e4);
}

// A 3-D stencil, a block a piece of a plane: it reads its own plane and those on both sides, and the next one
// behind it reads one more. Of 10 x 10 x 1000 blocks a wave of 400 is four planes thick, and reads six.
TEST(DeviceTraffic, planes_that_the_next_wave_reads_again_are_still_there) {
  const Growth loads[] = {{.one = 3000, .x = 1, .y = 1, .z = 1.0 / 3, .most = 1e5 * 1002}};
  const GridShape grid{.x = 10, .y = 10, .z = 1000, .wave = 400};
  EXPECT_DOUBLE_EQ(loads[0].of(10, 10, 4), 6e5);
  EXPECT_DOUBLE_EQ(device_traffic(loads, {}, grid, {1.3e6}, false).read[0], 1e5 * 1002);
  EXPECT_DOUBLE_EQ(device_traffic(loads, {}, grid, {1.1e6}, false).read[0], 250 * 6e5)
      << "two waves do not fit";
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

// 1000 blocks that each read 1 kB of an array of 0.1 MB, wherever an index says: 1 MB passes between it and
// L2, so a byte is read again after 0.1 MB, and L2 of 50 kB still has it with the chance 1 - exp(-1/2).
TEST(DeviceTraffic, what_blocks_far_from_one_another_read_is_there_by_chance) {
  const auto read = [](double l2, double others, bool by_index = true) {
    const Growth loads[] = {{.one = 1000, .x = 1, .most = 1e5, .by_data = by_index},
                            {.one = others, .x = 1, .most = 1e9}};
    return device_traffic(loads, {}, {.x = 1000, .wave = 10}, {l2}, false).read[0];
  };
  EXPECT_NEAR(read(5e4, 0), 1e5 + 9e5 * std::exp(-0.5), 1);
  EXPECT_NEAR(read(5e4, 1000), 1e5 + 9e5 * std::exp(-0.25), 1) << "twice as much passes through L2";
  EXPECT_DOUBLE_EQ(read(2e5, 0), 1e5) << "all of it fits";
  EXPECT_DOUBLE_EQ(read(5e4, 0, false), 1e5) << "no index: planes of a stencil that the next but one shares";
}

// Halos that blocks share are not read again at any time.
TEST(DeviceTraffic, a_little_more_than_the_array_are_halos) {
  const Growth loads[] = {{.one = 1300, .x = 1, .most = 1e6, .by_data = true}};
  EXPECT_DOUBLE_EQ(device_traffic(loads, {}, {.x = 1000, .wave = 10}, {5e4}, false).read[0], 1e6);
}

// Of 4 MB stored, 1 MB of L2 keeps a third; a quarter of the rest is filled first.
TEST(DeviceTraffic, what_is_filled_is_read) {
  const Growth stores[] = {{.one = 4000, .x = 1, .most = 1e9, .filled = 0.25}};
  const DeviceTraffic traffic = device_traffic({}, stores, {.x = 1000, .wave = 100}, {3e6}, false);
  EXPECT_DOUBLE_EQ(traffic.written, 3e6);
  EXPECT_DOUBLE_EQ(traffic.filled, 0.75e6);
}

} // namespace perfmodel::footprint_test
