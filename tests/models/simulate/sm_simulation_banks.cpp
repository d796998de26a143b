// What is posted without a wait, and the banks of memory that all SMs share.
#include "tests/models/simulate/small_sm.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::sm_simulation_banks_test {

using namespace small_sm;

// The alu is busy until 1, memory until 10; the result is there 2 cycles after the last that it waits for. A
// second instruction finds memory free at 10, and its warp goes on a cycle later.
TEST(SmSimulation, a_result_does_not_wait_for_what_is_posted) {
  WarpStep step = instruction(1, 2);
  step.uses[1] = {.unit = memory, .cycles = 10};
  step.used = 2;
  SmMachine m = machine();
  m.units[memory].of = UnitOf::sm; // the device's keep the next launch waiting
  const auto cycles = [&] { return run_blocks(m, block({step}), 1, 1).cycles; };
  EXPECT_DOUBLE_EQ(cycles(), 12);
  step.uses[1].posted = true;
  EXPECT_DOUBLE_EQ(cycles(), 3);
  step.repeat = 2;
  EXPECT_DOUBLE_EQ(cycles(), 11);
}

// The store of one block keeps the memory until 50; the block has left at 1, and so has the next, whose load
// comes behind both stores.
TEST(SmSimulation, what_is_posted_keeps_its_unit_busy_and_nobody_waits_for_it) {
  WarpStep store = access(memory, 50, 0);
  store.load = false;
  store.uses[0].posted = true;
  const WarpProgram waits{store, instruction(1, 0, 1, WarpWait::results)},
      behind{store, access(memory, 10, 0)};
  SmMachine m = machine();
  EXPECT_DOUBLE_EQ(run_blocks(m, block(waits), 1, 1).cycles, 50); // the launch after it finds memory free
  EXPECT_DOUBLE_EQ(run_blocks(m, block(behind), 1, 1).cycles, 60);
  m.units[memory].of = UnitOf::sm; // which the next block waits for itself
  EXPECT_DOUBLE_EQ(run_blocks(m, block(waits), 1, 1).cycles, 2);
}

// Six pieces of 20 cycles on two banks.
TEST(SmSimulation, banks_that_still_write_keep_the_next_launch_waiting) {
  SmMachine m = machine();
  m.units[memory].servers = 2;
  m.units[memory].piece = 10;
  WarpStep store = access(memory, 60, 0);
  store.load = false;
  store.uses[0].posted = true;
  EXPECT_GE(run_blocks(m, block({store}), 1, 1).cycles, 60);
}

// Some SMs stand for all: what they share is shared out, so that one may have more while others compute.
TEST(SmSimulation, sms_share_the_devices_units) {
  SmMachine m = machine();
  m.sms = 4;
  EXPECT_DOUBLE_EQ(run_blocks(m, block({access(memory, 40, 0)}), 1, 1).cycles, 40);
  m.sms = 1;
  EXPECT_DOUBLE_EQ(run_blocks(m, block({access(memory, 40, 0)}), 1, 1).cycles, 40);
}

// Requests that fall on banks at random wait for each other: fewer than one in each bank do not fill them.
TEST(SmSimulation, banks_that_requests_choose_at_random_are_filled_by_many_alone) {
  SmMachine m = machine();
  m.units[memory].servers = 16;
  m.units[memory].piece = 10;
  const auto rate = [&](std::size_t resident) {
    return 2000 / run_blocks(m, block({access(memory, 10, 0)}), resident, 2000).cycles * 10;
  };
  EXPECT_LT(rate(16), 0.75);
  EXPECT_GT(rate(256), 0.8);
  EXPECT_LE(rate(256), 1.001);
  EXPECT_DOUBLE_EQ(rate(64), rate(64)); // random, and the same in every run
}

// Those of a stream come in turn: sixteen fill sixteen banks. Beside writes, for which banks turn, they meet
// by chance all the same.
TEST(SmSimulation, reads_of_a_stream_fill_the_banks_in_turn) {
  SmMachine m = machine();
  m.units[memory].servers = 16;
  m.units[memory].piece = 10;
  const auto rate = [&](bool in_turn) {
    WarpStep read = access(memory, 10, 0);
    read.uses[0].in_turn = in_turn;
    return 2000 / run_blocks(m, block({read}), 16, 2000).cycles * 10;
  };
  EXPECT_GT(rate(true), 0.97);
  EXPECT_LT(rate(false), 0.75);
  m.units[memory].turns = {.alone = 1e-6, .burst = 1e-6, .writes = 4};
  EXPECT_LT(rate(true), 0.75);
}

// Requests that nobody waits for come to the banks in turn: 16 of them keep all 16 busy for the time of one,
// as do two of eight pieces each.
TEST(SmSimulation, what_is_posted_comes_to_banks_in_turn) {
  SmMachine m = machine();
  m.units[memory].servers = 16;
  m.units[memory].piece = 10;
  WarpStep store = access(memory, 10, 0);
  store.uses[0].posted = true;
  const auto cycles = [&](std::size_t stores) {
    return run_blocks(m, block(WarpProgram(stores, store)), 1, 1).cycles;
  };
  EXPECT_LT(cycles(16) - cycles(1), 40); // the time of issuing them
  EXPECT_GT(cycles(17), cycles(16) + 100);
}

} // namespace perfmodel::sm_simulation_banks_test
