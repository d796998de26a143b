// Which blocks are on an SM, and when the next one comes.
#include "tests/models/simulate/small_sm.hpp"

#include <gtest/gtest.h>

namespace perfmodel::sm_blocks_test {

using namespace small_sm;

// Nobody waits for what is posted; the memory takes 40 cycles for each block all the same.
TEST(SmBlocks, many_rounds_take_as_long_as_what_they_post) {
  WarpStep store = access(memory, 40, 0);
  store.uses[0].posted = true;
  EXPECT_NEAR(run_blocks(machine(), block({store}), 2, 1000).cycles / 40'000, 1, 0.01);
}

// Two stores to the same lines, of which an SM keeps twelve open; the memory takes 40 cycles for each that
// does not go with the other. The two of another block come in between, to as many lines of its own.
TEST(SmBlocks, a_store_goes_with_the_one_before_as_long_as_its_lines_are_open) {
  const auto cycles = [](std::uint16_t lines, std::size_t blocks) {
    SmMachine m = machine();
    m.open_lines = 12;
    WarpStep first = access(memory, 40, 0);
    first.load = false;
    first.store = true;
    first.lines = lines;
    WarpStep second = first;
    second.uses[1] = second.uses[0]; // of a scheduler's port first
    second.uses[0] = {alu, 1};
    second.used = 2;
    second.opened_back = 1;
    return run_blocks(m, block({first, second}), blocks, static_cast<double>(blocks)).cycles;
  };
  EXPECT_NEAR(cycles(8, 1), 40, 3);
  EXPECT_NEAR(cycles(13, 1), 80, 3);
  EXPECT_NEAR(cycles(6, 2), 80, 3);
  EXPECT_NEAR(cycles(8, 2), 160, 3);
}

// Nothing is issued that their pace could be told from.
TEST(SmBlocks, many_rounds_of_blocks_that_do_nothing_have_an_end) {
  EXPECT_TRUE(std::isfinite(run_blocks(machine(), block({}), 2, 1000).cycles));
}

// Blocks of 100 cycles, two at a time: of 13, the last one has a round of its own.
TEST(SmBlocks, a_last_round_that_is_nearly_empty_takes_its_time) {
  WarpStep result;
  result.stall = 1;
  result.result = 0;
  result.latency = 99;
  WarpStep waits;
  waits.waits_for[waits.waits++] = 0;
  const auto cycles = [&](double blocks) {
    return run_blocks(machine(),
                      TracedBlocks{.steps = {result, waits},
                                   .programs = {{0, 1}},
                                   .blocks = {{0}},
                                   .order = {0},
                                   .places = 6,
                                   .most_steps = 1},
                      2, blocks)
        .cycles;
  };
  EXPECT_DOUBLE_EQ(cycles(13), cycles(14));
  EXPECT_GT(cycles(13), cycles(12) + 99);
}

TEST(SmBlocks, a_slot_takes_the_next_block_after_its_launch) {
  SmMachine m = machine();
  m.launch = 50;
  EXPECT_DOUBLE_EQ(run_blocks(m, block({instruction(1, 3, 10)}), 1, 3).cycles, 3 * 13 + 2 * 50);
  m.launch_interval = 100; // and no sooner than that after the one before
  EXPECT_DOUBLE_EQ(run_blocks(m, block({instruction(1, 3, 10)}), 4, 4).cycles, 3 * 100 + 13);
}

// Two SMs take four blocks: 100 cycles from one to the next of an SM; or, of the device, 150 for each SM, so
// 75 from any to the next. Three warps of a block begin 7 cycles after one another; a launcher that takes 40
// for each is busy for 120.
TEST(SmBlocks, blocks_are_launched_by_the_sm_by_the_device_and_warp_after_warp) {
  SmMachine m = machine();
  m.sms = 2;
  m.launch_interval = 100;
  const BlockProgram short_block = block({instruction(1, 3, 10)});
  EXPECT_DOUBLE_EQ(run_blocks(m, short_block, 2, 2).cycles, 100 + 13);
  m.device_interval = 150;
  EXPECT_DOUBLE_EQ(run_blocks(m, short_block, 2, 2).cycles, 3 * 75 + 13);
  m = machine();
  m.warp_interval = 7;
  EXPECT_DOUBLE_EQ(run_blocks(m, block({instruction(1, 3, 1)}, 3), 1, 1).cycles, 2 * 7 + 4);
  m.warp_interval = 40;
  EXPECT_DOUBLE_EQ(run_blocks(m, block({instruction(1, 3, 1)}, 3), 2, 2).cycles, 3 * 40 + 2 * 40 + 4);
}

// Of four warps of a block, two of each scheduler, the first stays and the others leave at once. Where their
// rows are free before the block has ended, a block that ends beside another leaves room for two: three are
// there together instead of two. Where all warps stay as long nothing changes.
TEST(SmBlocks, warps_that_have_left_make_room_for_another_block) {
  WarpProgram stays;
  for (int i = 0; i < 8; ++i) stays.push_back(instruction(1, 96 + i, 1, WarpWait::results));
  const BlockProgram uneven{{stays, {instruction(1, 3)}}, {0, 1, 1, 1}}, even{{stays}, {0, 0, 0, 0}};
  SmMachine m = machine();
  m.launch_interval = 200;
  const double before = run_blocks(m, uneven, 2, 12).cycles, of_even = run_blocks(m, even, 2, 12).cycles;
  m.most_blocks = 4;
  EXPECT_LT(run_blocks(m, uneven, 2, 12).cycles, 0.95 * before);
  EXPECT_DOUBLE_EQ(run_blocks(m, even, 2, 12).cycles, of_even);
}

TEST(SmBlocks, more_resident_blocks_hide_more_latency_until_a_unit_is_full) {
  const BlockProgram one = block({access(memory, 10, 90), instruction(1, 0, 1, WarpWait::loads)});
  double before = 0;
  for (const std::size_t resident : {1u, 2u, 4u, 8u, 16u}) {
    const double rate = 640 / run_blocks(machine(), one, resident, 640).cycles;
    EXPECT_GE(rate, before * 0.999) << resident;
    EXPECT_LE(rate, 1 / 10.0 + 1e-9) << resident;
    before = rate;
  }
  EXPECT_GT(before, 0.95 / 10);
}

TEST(SmBlocks, a_long_run_goes_on_as_it_began) {
  const BlockProgram one = block({access(memory, 10, 90), instruction(1, 4, 20, WarpWait::loads)}, 4);
  const double some = run_blocks(machine(), one, 4, 48).cycles,
               all = run_blocks(machine(), one, 4, 4800).cycles;
  EXPECT_NEAR(all / some, 100, 5); // the first and the last round are shared by more
}

// Three blocks on two SMs that hold one each: the memory serves three, not four.
TEST(SmBlocks, an_sm_takes_the_next_block_when_it_has_room) {
  SmMachine m = machine();
  m.sms = 2;
  EXPECT_DOUBLE_EQ(run_blocks(m, block({access(memory, 40, 0)}), 1, 1.5).cycles, 60);
}

// Four SMs of one launcher: an SM takes a block every 100 cycles, and the launcher, for all four, one every
// 37.5, so that each gets one every 150. Blocks end in no order. While one SM is not ready for its next block
// the launcher serves the others; if they waited with it, a block would take some 200.
TEST(SmBlocks, the_launcher_serves_other_sms_while_one_is_not_ready) {
  SmMachine m = machine();
  m.sms = 4;
  m.launch_interval = 100;
  m.device_interval = 150;
  WarpStep load = instruction(0, 0), waits = instruction(0, 0);
  load.tail = 300;
  load.result = 0;
  waits.waits = 1;
  waits.waits_for[0] = 0;
  const TracedBlocks traced{
      .steps = {load, waits}, .programs = {{0, 1}}, .blocks = {{0}}, .order = {0}, .places = 1};
  EXPECT_NEAR(run_blocks(m, traced, 8, 500).cycles / 500, 150, 10);
}

} // namespace perfmodel::sm_blocks_test
