#include "models/simulate/access_queue.hpp"

#include "tests/models/simulate/steps.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

namespace perfmodel::access_queue_test {

constexpr std::size_t memory = 0, reads = 1; // units

SmMachine machine() {
  SmMachine m;
  m.sms = 1;
  m.units = {{.name = "memory", .of = UnitOf::device}, {.name = "reads", .of = UnitOf::device}};
  return m;
}
// One slot, after which the warp does nothing for so long.
WarpStep slot(double pause, WarpWait wait = WarpWait::nothing) {
  WarpStep step;
  step.pause = pause;
  step.wait = wait;
  return step;
}
WarpStep store(double cycles) {
  WarpStep step = access(memory, cycles, 0);
  step.load = false;
  step.store = true;
  return step;
}

// By hand: stores of 100 cycles leave at 0, 100, 200 and 300, the load behind them at 300, and is there 150
// later; alone it is there at 150. What needs it takes a cycle.
TEST(SmSimulation, loads_wait_behind_the_stores_of_their_sm) {
  const SmMachine m = machine();
  const WarpStep load = access(reads, 0, 150), use = slot(0, WarpWait::loads);
  EXPECT_DOUBLE_EQ(run_blocks(m, block({load, use}), 1, 1).cycles, 151);
  const BlockProgram behind = block({store(100), store(100), store(100), store(100), load, use});
  EXPECT_DOUBLE_EQ(run_blocks(m, behind, 1, 1).cycles, 451);
}

// Five stores, a slot, a pause of 1000 and the cycle between two issues: 1006. With two places the third
// store issues when the first has left, at once, the fourth at 100, the fifth at 200, and the slot at 201.
TEST(SmSimulation, so_many_accesses_wait_in_an_sm_and_then_a_warp_does) {
  SmMachine m = machine();
  const auto after = [&](std::size_t places) {
    m.queue = places;
    const WarpStep step = slot(1000);
    return run_blocks(m, block({store(100), store(100), store(100), store(100), store(100), step}), 1, 1)
        .cycles;
  };
  EXPECT_DOUBLE_EQ(after(0), 1006);
  EXPECT_DOUBLE_EQ(after(2), 1202);
  EXPECT_DOUBLE_EQ(after(5), 1006);
}

// Two blocks of one warp on one scheduler, one place: the warp that was served last goes on and has stored at
// 0, 100 and 200, the other at 300, 400 and 500, and not in turns.
TEST(SmSimulation, a_scheduler_stays_with_the_warp_that_it_served_last) {
  SmMachine m = machine();
  m.queue = 1;
  const SmRun run = run_blocks(m, block({store(100), store(100), store(100)}), 2, 2);
  ASSERT_EQ(run.writing.size(), 2u);
  EXPECT_NEAR(run.writing[0], 200, 2);
  EXPECT_NEAR(run.writing[1], 200, 2);
}

// Four schedulers of one warp each take turns: the first stores leave in the first 400 cycles, the last in
// the last 400 of 8000.
TEST(SmSimulation, no_scheduler_is_put_before_another) {
  SmMachine m = machine();
  m.queue = 4;
  m.schedulers = 4;
  WarpStep twenty = store(100);
  twenty.repeat = 20;
  const SmRun run = run_blocks(m, block({twenty}), 4, 4);
  ASSERT_EQ(run.writing.size(), 4u);
  for (const double cycles : run.writing) EXPECT_NEAR(cycles, 7600, 160);
}

// Ten loads, of which a step waits for one: a warp remembers eight.
TEST(SmSimulation, refuses_to_wait_for_one_of_more_loads_than_a_warp_remembers) {
  WarpStep load = access(reads, 0, 150);
  load.repeat = 8;
  EXPECT_NO_THROW(run_blocks(machine(), block({load, slot(0, WarpWait::load)}), 1, 1));
  load.repeat = 10;
  EXPECT_THROW(run_blocks(machine(), block({load, slot(0, WarpWait::load)}), 1, 1), std::logic_error);
  EXPECT_NO_THROW(run_blocks(machine(), block({load, slot(0, WarpWait::loads)}), 1, 1));
}

// What all loads were waited for is not waited for again.
TEST(SmSimulation, a_load_after_a_wait_for_all_is_the_oldest) {
  const WarpStep early = access(reads, 0, 150), late = access(reads, 0, 450);
  const BlockProgram block_of = block({early, slot(0, WarpWait::loads), late, slot(0, WarpWait::load)});
  EXPECT_DOUBLE_EQ(run_blocks(machine(), block_of, 1, 1).cycles, 150 + 1 + 450 + 1);
}

// Loads are there after 150 and after 450; what needs the first does not wait for the second.
TEST(SmSimulation, a_step_may_wait_for_the_oldest_load_alone) {
  const SmMachine m = machine();
  const WarpStep early = access(reads, 0, 150), late = access(reads, 0, 450);
  EXPECT_DOUBLE_EQ(run_blocks(m, block({early, late, slot(400, WarpWait::load)}), 1, 1).cycles, 551);
  EXPECT_DOUBLE_EQ(run_blocks(m, block({early, late, slot(400, WarpWait::loads)}), 1, 1).cycles, 852);
  const BlockProgram both = block({early, late, slot(0, WarpWait::load), slot(0, WarpWait::load)});
  EXPECT_DOUBLE_EQ(run_blocks(m, both, 1, 1).cycles, 452);
}

// From when L2 takes the first store of a block to when it takes the last: 200 later.
TEST(SmSimulation, tells_how_long_each_block_writes) {
  const SmRun run = run_blocks(machine(), block({slot(40), store(100), store(100), store(100)}), 1, 3);
  ASSERT_EQ(run.writing.size(), 3u);
  for (const double cycles : run.writing) EXPECT_NEAR(cycles, 199, 1.1);
  EXPECT_TRUE(run_blocks(machine(), block({slot(3)}), 1, 1).writing.empty());
}

TEST(AccessQueue, opens_when_the_access_so_many_places_before_has_left) {
  AccessQueue queue(2);
  EXPECT_EQ(queue.open(), 0);
  queue.leave(10);
  EXPECT_EQ(queue.open(), 0);
  queue.leave(30);
  EXPECT_EQ(queue.open(), 10);
  queue.leave(70);
  EXPECT_EQ(queue.open(), 30);
  EXPECT_EQ(queue.last(), 70);
}

} // namespace perfmodel::access_queue_test
