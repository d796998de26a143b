#include "models/simulate/device_traffic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

// Launches of which it is known what their blocks touch: worked by hand.
namespace perfmodel::device_traffic_test {

const UsedBefore cold_l2{}, warm_l2{.all = 0};

// y[i] = x[i] of 1000 blocks with 1000 B each.
TEST(DeviceTraffic, cold_all_is_read_once_and_warm_nothing) {
  const Growth loads[] = {{.one = 1000, .x = 1, .most = 1e6}, {}},
               stores[] = {{}, {.one = 1000, .x = 1, .most = 1e6}};
  const GridShape grid{.x = 1000, .wave = 100};
  const DeviceTraffic cold = device_traffic(loads, stores, grid, {3e6}, cold_l2);
  EXPECT_DOUBLE_EQ(cold.touched, 2e6);
  EXPECT_DOUBLE_EQ(cold.read[0], 1e6);
  EXPECT_DOUBLE_EQ(cold.written, 0); // a third of L2 holds it
  EXPECT_DOUBLE_EQ(cold.left, 1e6);  // and writes it later
  const DeviceTraffic warm = device_traffic(loads, stores, grid, {2e6}, warm_l2);
  EXPECT_DOUBLE_EQ(warm.read[0], 0);
  EXPECT_DOUBLE_EQ(warm.written, 0); // what is written again lies in L2, written
  EXPECT_DOUBLE_EQ(warm.left, 0);
}

// One word of each line of 128 bytes: a megabyte of sectors keeps four of L2 occupied, as long as the
// allocation has so many.
TEST(DeviceTraffic, l2_keeps_whole_lines_of_which_a_sector_is_read) {
  Growth words{.one = 1000, .x = 1, .most = 1e9};
  words.in_lines = 4;
  const auto read = [&](double l2) {
    return device_traffic(std::span(&words, 1), {}, {.x = 1000, .wave = 100}, {l2}, warm_l2).read[0];
  };
  EXPECT_DOUBLE_EQ(read(4e6), 0);
  EXPECT_DOUBLE_EQ(read(3.9e6), 1e6);
  words.most = 2e6;
  EXPECT_DOUBLE_EQ(read(2e6), 0);
}

TEST(DeviceTraffic, what_does_not_fit_l2_is_never_warm) {
  const Growth loads[] = {{.one = 1000, .x = 1, .most = 1e6}, {}},
               stores[] = {{}, {.one = 1000, .x = 1, .most = 1e6}};
  const DeviceTraffic warm = device_traffic(loads, stores, {.x = 1000, .wave = 100}, {1.5e6}, warm_l2);
  EXPECT_DOUBLE_EQ(warm.read[0], 1e6);
  EXPECT_DOUBLE_EQ(warm.written, 0.5e6);
  EXPECT_DOUBLE_EQ(warm.written + warm.left, 1e6);
}

// x[i] += 1: what is read and what is written are the same megabyte.
TEST(DeviceTraffic, what_is_changed_in_place_takes_its_room_once) {
  const Growth one[] = {{.one = 1000, .x = 1, .most = 1e6}};
  const DeviceTraffic warm = device_traffic(one, one, {.x = 1000, .wave = 100}, {1e6}, warm_l2);
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
    return device_traffic(loads, stores, {.x = 1000, .wave = 100}, {1.5e6, 3e6}, warm_l2).read[0];
  };
  EXPECT_DOUBLE_EQ(read(1e6), 0);
  EXPECT_DOUBLE_EQ(read(1.5e6), 1.5e6);
}

// Blocks in columns of a matrix product: 100 columns of 10 kB, which all rows of blocks read. A wave is 10
// rows of blocks, those on SMs that begin together are one row. In step each of 20 waves reads the megabyte
// once. Out of step each of 200 rows does, and finds half of it in an L2 of half a megabyte; the first wave
// of the twenty is in step.
TEST(DeviceTraffic, blocks_out_of_step_find_what_others_have_read_by_chance) {
  const Growth loads[] = {{.one = 1e4, .x = 1, .y = 0, .most = 1e6}}, stores[] = {{}};
  const auto read = [&](double l2, BlockPace pace, double rows = 200) {
    return device_traffic(loads, stores, {.x = 100, .y = rows, .wave = 1000, .sms = 100}, {l2}, cold_l2, pace)
        .read[0];
  };
  EXPECT_DOUBLE_EQ(read(5e5, BlockPace::in_step), 20e6);
  EXPECT_DOUBLE_EQ(read(5e5, BlockPace::out_of_step), 20e6 + (1e6 + 199e6 / 2 - 20e6) * 19 / 20);
  EXPECT_DOUBLE_EQ(read(2e6, BlockPace::out_of_step), 1e6) << "L2 holds all of it";
  EXPECT_DOUBLE_EQ(read(5e5, BlockPace::out_of_step, 10), 1e6) << "one wave begins in step";
}

// All blocks read the same megabyte, and each 10 kB of its own. Two waves of 100 blocks, 3 MB, do not fit:
// each of the ten waves reads it again.
TEST(DeviceTraffic, waves_that_do_not_fit_l2_read_again) {
  const Growth loads[] = {{.one = 1e6, .x = 0, .most = 1e6}, {.one = 1e4, .x = 1, .most = 1e7}};
  const GridShape grid{.x = 1000, .wave = 100};
  const DeviceTraffic small = device_traffic(loads, {}, grid, {2.9e6}, cold_l2),
                      large = device_traffic(loads, {}, grid, {3.1e6}, cold_l2);
  EXPECT_DOUBLE_EQ(small.read[0], 10e6);
  EXPECT_DOUBLE_EQ(small.read[1], 1e7); // nobody reads it twice
  EXPECT_DOUBLE_EQ(large.read[0], 1e6);
}

// 1000 blocks of 1000 bytes each, which a block reads a second time when L2 has them no more. Where ten
// blocks of a wave read the same, they bring it back for one another.
TEST(DeviceTraffic, what_l2_has_lost_is_read_again_by_blocks_that_share_it_with_none) {
  const auto read = [](double alike, double l2, bool warm) {
    const Growth loads[] = {{.one = 1000, .x = 1 / alike, .most = 1e6 / alike, .lost = 1000}};
    return device_traffic(loads, {}, {.x = 1000, .wave = 100}, {l2}, warm ? warm_l2 : cold_l2).read[0];
  };
  EXPECT_DOUBLE_EQ(read(1, 0.5e6, false), 2e6);
  EXPECT_DOUBLE_EQ(read(1, 0.5e6, true), 2e6);
  EXPECT_DOUBLE_EQ(read(1, 2e6, false), 1e6) << "all of it fits";
  EXPECT_DOUBLE_EQ(read(1, 2e6, true), 0);
  EXPECT_DOUBLE_EQ(read(10, 5e3, false), read(10, 5e3, true));
  EXPECT_LT(read(10, 5e3, false), 0.2e6);
}

// The same stored: device memory takes it twice where L2 has written it in between.
TEST(DeviceTraffic, what_l2_has_written_is_written_again_when_it_is_stored_again) {
  const auto written = [](double l2, bool warm) {
    const Growth stores[] = {{.one = 1000, .x = 1, .most = 1e6, .lost = 1000}};
    return device_traffic({}, stores, {.x = 1000, .wave = 100}, {l2}, warm ? warm_l2 : cold_l2).written;
  };
  EXPECT_DOUBLE_EQ(written(0.3e6, false), 2e6 - 0.1e6) << "a third of L2 stays there";
  EXPECT_DOUBLE_EQ(written(0.3e6, true), 2e6 - 0.1e6);
  EXPECT_DOUBLE_EQ(written(1.5e6, false), 1e6 - 0.5e6) << "all of it fits";
}

// 150 blocks of which 100 run at a time: the 50 that are left have more of L2 each.
TEST(DeviceTraffic, the_rest_of_the_last_wave_may_lose_nothing) {
  const auto traffic = [](double l2) {
    const Growth lost{.one = 1000, .x = 1, .most = 1e9, .lost = 1000, .refilled = 400};
    return device_traffic(std::span(&lost, 1), {}, {.x = 150, .wave = 100}, {l2}, cold_l2);
  };
  EXPECT_DOUBLE_EQ(traffic(60e3).lost[0], 100e3);
  EXPECT_DOUBLE_EQ(traffic(40e3).lost[0], 150e3) << "50 of them are too many";
  const Growth stored{.one = 1000, .x = 1, .most = 1e9, .lost = 1000, .refilled = 400};
  const DeviceTraffic stores =
      device_traffic({}, std::span(&stored, 1), {.x = 150, .wave = 100}, {60e3}, cold_l2);
  EXPECT_DOUBLE_EQ(stores.rewritten[0], 100e3);
  EXPECT_DOUBLE_EQ(stores.written, 250e3 - 20e3);
  EXPECT_DOUBLE_EQ(stores.filled, 100 * 400 * (230. / 250)) << "of what is written";
}

// A wave is as many rows of blocks as it has: 100 blocks of a grid of 10 columns are 10 rows.
TEST(DeviceTraffic, a_wave_is_a_rectangle_of_the_grid) {
  const Growth loads[] = {{.one = 1000, .x = 0, .y = 1, .most = 1e9},
                          {.one = 1000, .x = 1, .y = 0, .most = 1e9}};
  const DeviceTraffic traffic = device_traffic(loads, {}, {.x = 10, .y = 100, .wave = 100}, {1e4}, cold_l2);
  EXPECT_DOUBLE_EQ(traffic.touched, 1000 * (100 + 10));
  EXPECT_DOUBLE_EQ(traffic.read[0], 1e5); // rows of one wave are not those of another
  EXPECT_DOUBLE_EQ(traffic.read[1], 10 * 1e4);
}

// A 3-D stencil, a block a piece of a plane: it reads its own plane and those on both sides, and the next one
// behind it reads one more. Of 10 x 10 x 1000 blocks a wave of 400 is four planes thick, and reads six; two
// of them read ten.
TEST(DeviceTraffic, planes_that_the_next_wave_reads_again_are_still_there) {
  const Growth loads[] = {{.one = 3000, .x = 1, .y = 1, .z = 1.0 / 3, .most = 1e5 * 1002}};
  const GridShape grid{.x = 10, .y = 10, .z = 1000, .wave = 400};
  EXPECT_DOUBLE_EQ(loads[0].of(10, 10, 4), 6e5);
  EXPECT_DOUBLE_EQ(device_traffic(loads, {}, grid, {1.15e6}, cold_l2).read[0], 1e5 * 1002);
  EXPECT_DOUBLE_EQ(device_traffic(loads, {}, grid, {0.9e6}, cold_l2).read[0], 250 * 6e5)
      << "two waves do not fit";
}

// 1000 blocks that each read 1 kB of an array of 0.1 MB, wherever an index says: a byte is asked for ten
// times. L2 of 50 kB has half of it. With a stream of 1 MB beside it L2 is full when both have brought 50 kB:
// 0.1 MB (1 - exp(-10 T)) + 1 MB T = 50 kB, T = 0.02662.
TEST(DeviceTraffic, what_blocks_far_from_one_another_read_is_there_by_chance) {
  const auto read = [](double l2, double others, bool by_index = true) {
    const Growth loads[] = {{.one = 1000, .x = 1, .most = 1e5, .by_data = by_index},
                            {.one = others, .x = 1, .most = 1e9}};
    return device_traffic(loads, {}, {.x = 1000, .wave = 10}, {l2}, cold_l2).read[0];
  };
  EXPECT_NEAR(read(5e4, 0), 1e5 + 9e5 * 0.5, 1);
  EXPECT_NEAR(read(5e4, 1000), 1e5 + 9e5 * std::exp(-0.2662), 100) << "twice as much passes through L2";
  EXPECT_DOUBLE_EQ(read(2e5, 0), 1e5) << "all of it fits";
  EXPECT_DOUBLE_EQ(read(5e4, 0, false), 1e5) << "no index: planes of a stencil that the next but one shares";
}

// A wave of 40 blocks reads most of such an array of 0.1 MB, 80 kB, and two waves with their stream are more
// than L2 holds; yet no wave reads it again: 0.1 MB (1 - exp(-20 T)) + 0.5 MB T = 130 kB, T = 0.091855. (10^7
// indices into 20 MB, HeCBench's scatter, which took a third of what 37 waves would.)
TEST(DeviceTraffic, a_wave_does_not_read_again_what_an_index_picks) {
  const Growth loads[] = {{.one = 2000, .x = 1, .most = 1e5, .by_data = true},
                          {.one = 500, .x = 1, .most = 1e9}};
  EXPECT_NEAR(device_traffic(loads, {}, {.x = 1000, .wave = 40}, {1.3e5}, cold_l2).read[0],
              1e5 + 19e5 * std::exp(-20 * 0.091855), 100);
}

// Halos that blocks share are not read again at any time.
TEST(DeviceTraffic, a_little_more_than_the_array_are_halos) {
  const Growth loads[] = {{.one = 1300, .x = 1, .most = 1e6, .by_data = true}};
  EXPECT_DOUBLE_EQ(device_traffic(loads, {}, {.x = 1000, .wave = 10}, {5e4}, cold_l2).read[0], 1e6);
}

// Of 4 MB stored, 1 MB of L2 keeps a third; a quarter of the rest is filled first.
TEST(DeviceTraffic, what_is_filled_is_read) {
  const Growth stores[] = {{.one = 4000, .x = 1, .most = 1e9, .filled = 0.25}};
  const DeviceTraffic traffic = device_traffic({}, stores, {.x = 1000, .wave = 100}, {3e6}, cold_l2);
  EXPECT_DOUBLE_EQ(traffic.written, 3e6);
  EXPECT_DOUBLE_EQ(traffic.filled, 0.75e6);
}

// C = A B in tiles: 64 by 64 blocks, of which a wave holds four rows. All of them read B, 16 MB, and each row
// its part of A. Two waves read B and twice their part of A; L2 holds that.
TEST(DeviceTraffic, what_two_waves_share_takes_its_room_once) {
  const Growth loads[] = {{.one = 2.5e5, .y = 1, .most = 1.6e7}, {.one = 2.5e5, .x = 1, .most = 1.6e7}},
               stores[] = {{}, {}};
  const GridShape grid{.x = 64, .y = 64, .wave = 256};
  EXPECT_DOUBLE_EQ(device_traffic(loads, stores, grid, {2e7}, cold_l2).read[1], 1.6e7);
  EXPECT_DOUBLE_EQ(device_traffic(loads, stores, grid, {1.7e7}, cold_l2).read[1], 16 * 1.6e7);
}

// y[i] = x[i] + z[i], a megabyte each, in an L2 of 5: x was used by the launch before, z by one before others
// that used 3 MB, y by none.
TEST(DeviceTraffic, of_each_array_l2_has_what_launches_before_left) {
  const Growth megabyte{.one = 1000, .x = 1, .most = 1e6};
  const Growth loads[] = {megabyte, megabyte, {}}, stores[] = {{}, {}, megabyte};
  const auto traffic = [&](double since_z) {
    return device_traffic(loads, stores, {.x = 1000, .wave = 100}, {5e6},
                          {.others_since = {0, since_z, std::numeric_limits<double>::infinity()}});
  };
  const DeviceTraffic far = traffic(3e6), near = traffic(2e6);
  EXPECT_DOUBLE_EQ(far.read[0], 0);
  EXPECT_DOUBLE_EQ(far.read[1], 1e6);
  EXPECT_DOUBLE_EQ(near.read[1], 0) << "2 MB of others and 3 of its own fit";
  EXPECT_DOUBLE_EQ(far.written + far.left, 1e6) << "y is not there";
  EXPECT_EQ(far.arrays, 3);
  EXPECT_EQ(far.arrays_there, 1);
  EXPECT_EQ(near.arrays_there, 2);
}

// A megabyte of an array of a gigabyte, which the launch before used: of which part of it, nobody knows.
TEST(DeviceTraffic, of_an_array_of_which_a_launch_touches_a_part_l2_need_not_have_that) {
  const Growth loads[] = {{.one = 1000, .x = 1, .most = 1e9}};
  const auto read = [&](double own) {
    return device_traffic(loads, {}, {.x = 1000, .wave = 100}, {5e6}, {.others_since = {0}, .own = own})
        .read[0];
  };
  EXPECT_DOUBLE_EQ(read(1e9), 1e6);
  EXPECT_DOUBLE_EQ(read(2e6), 0);
}

} // namespace perfmodel::device_traffic_test
