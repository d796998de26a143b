#include "tests/models/simulate/small_sm.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::sm_simulation_test {

using namespace small_sm;

// What comes by chance takes its mean in the mean; the slowest of 32 is 1 + 1/2 + .. + 1/32 = 4.06 times as
// late. Where eight warps side by side wait together it is that of four, 1 + 1/2 + 1/3 + 1/4 = 2.08 times.
TEST(SmSimulation, a_block_waits_for_the_slowest_of_what_comes_by_chance) {
  const auto cycles = [](std::size_t warps, std::uint8_t alike = 1) { // of a block, in the mean
    WarpStep load = instruction(0, 0), waits = instruction(0, 0);
    load.tail = 1000;
    load.alike = alike;
    load.result = 0;
    waits.waits = 1;
    waits.waits_for[0] = 0;
    TracedBlocks traced{.steps = {load, waits},
                        .programs = {{0, 1}},
                        .blocks = {std::vector<std::size_t>(warps)},
                        .order = {0},
                        .places = 1};
    return run_blocks(machine(), traced, 1, 2000).cycles / 2000;
  };
  EXPECT_NEAR(cycles(1), 1000, 100);
  EXPECT_NEAR(cycles(32), 4060, 250);
  EXPECT_NEAR(cycles(32, 8), 2080, 150);
  EXPECT_NEAR(cycles(32, 32), 1000, 100);
}

// By hand: 10 instructions, one a cycle; the last occupies its pipe until 10, its result is there 3 later.
TEST(SmSimulation, independent_instructions_of_a_warp_follow_each_other_every_cycle) {
  EXPECT_DOUBLE_EQ(run_blocks(machine(), block({instruction(1, 3, 10)}), 1, 1).cycles, 13);
}

TEST(SmSimulation, a_chain_takes_its_latencies) {
  EXPECT_DOUBLE_EQ(run_blocks(machine(), block({instruction(1, 3, 10, WarpWait::results)}), 1, 1).cycles, 40);
}

// The first is issued at 0 and reads its registers until 9; what writes one of them is there a cycle later.
TEST(SmSimulation, a_register_is_written_when_a_store_has_read_it) {
  WarpStep store = instruction(1, 0), writes = instruction(1, 0);
  store.queued = true;
  store.operands_read = 0;
  store.reads_for = 9;
  writes.waits = 1;
  writes.waits_for[0] = 0;
  const TracedBlocks traced{
      .steps = {store, writes}, .programs = {{0, 1}}, .blocks = {{0}}, .order = {0}, .places = 1};
  EXPECT_DOUBLE_EQ(run_blocks(machine(), traced, 1, 1).cycles, 10);
}

// Four warps on two schedulers, each of whose pipes takes 2 cycles: 2 warps x 10 x 2.
TEST(SmSimulation, a_pipe_serves_the_warps_of_its_scheduler_one_after_the_other) {
  EXPECT_DOUBLE_EQ(run_blocks(machine(), block({instruction(2, 0, 10)}, 4), 1, 1).cycles, 40);
}

// A bank delivers an operand a cycle, and an instruction waits two cycles for its own: of three from one bank
// the first is issued a cycle late, and so many follow each other every three cycles. Spread over two banks
// nobody waits; one of 64 bits waits four cycles.
TEST(SmSimulation, operands_of_one_bank_hold_their_scheduler_back) {
  SmMachine m = machine();
  m.register_read = 1;
  m.operands_after = 2;
  const auto cycles = [&](BankReads reads, bool wide = false) {
    WarpStep step = instruction(1, 0, 10);
    step.reads = reads;
    step.wide = wide;
    return run_blocks(m, block({step}), 1, 1).cycles;
  };
  EXPECT_DOUBLE_EQ(cycles({3, 0}), 1 + 9 * 3 + 1);
  EXPECT_DOUBLE_EQ(cycles({2, 1}), 9 * 2 + 1);
  EXPECT_DOUBLE_EQ(cycles({1, 1}), 10);
  EXPECT_DOUBLE_EQ(cycles({0, 3}, true), 2 + 8 * 3 + 1); // the window of four holds one more
}

// By hand: four warps have an instruction each for a pipe that takes 4 cycles, and are issued at 0, 4, 8
// and 12. A fifth, that needs no pipe, has the slots 1, 2 and 3, and 100 cycles later its result; if the
// others took their slots at once and queued, it would have 4, 5 and 6.
TEST(SmSimulation, traced_instructions_are_issued_when_their_unit_takes_them) {
  SmMachine m = machine();
  m.schedulers = 1;
  WarpStep slot, result;
  slot.stall = result.stall = 1;
  result.latency = 100;
  const TracedBlocks traced{.steps = {instruction(4, 0), slot, result},
                            .programs = {{0}, {1, 1, 2}},
                            .blocks = {{0, 0, 0, 0, 1}},
                            .order = {0},
                            .places = 6};
  const SmRun run = run_blocks(m, traced, 1, 1);
  EXPECT_DOUBLE_EQ(run.cycles, 3 + 100);
  EXPECT_DOUBLE_EQ(run.stalls[static_cast<std::size_t>(Stall::math_throttle)], 4 + 8 + 12);
}

TEST(SmSimulation, a_unit_of_the_sm_serves_all_its_warps) {
  EXPECT_DOUBLE_EQ(run_blocks(machine(), block({access(lsu, 5, 0)}, 4), 1, 1).cycles, 20);
}

// A load arrives at 100; what waits for it goes on then, what does not went on before.
TEST(SmSimulation, only_what_needs_a_load_waits_for_it) {
  const WarpStep load = access(memory, 10, 90);
  const auto cycles = [&](WarpWait wait) {
    return run_blocks(machine(), block({load, instruction(1, 0, 1, wait)}), 1, 1).cycles;
  };
  EXPECT_DOUBLE_EQ(cycles(WarpWait::loads), 101);
  EXPECT_DOUBLE_EQ(cycles(WarpWait::results), 100); // the block leaves when the load is there
}

TEST(SmSimulation, a_barrier_waits_for_the_slowest_warp_and_takes_its_time) {
  SmMachine m = machine();
  m.barrier = 7;
  m.barrier_per_warp = 2;
  const BlockProgram two{
      {{barrier(), instruction(1, 0)}, {instruction(1, 3, 10, WarpWait::results), barrier()}}, {0, 1}};
  // The chain's last link issues at 36, its barrier at 37, which is taken at 39; 7 more and the instruction.
  EXPECT_DOUBLE_EQ(run_blocks(m, two, 1, 1).cycles, 37 + 2 + 7 + 1);
}

// Two warps access until 2 and meet at 1; the barrier keeps the unit from 2 to 8, then come two more
// accesses.
TEST(SmSimulation, a_barrier_keeps_the_pipe_of_accesses_busy) {
  SmMachine m = machine();
  m.accesses = lsu;
  const auto run = [&](std::size_t warps) {
    return run_blocks(m, block({access(lsu, 1, 0), barrier(), access(lsu, 1, 0)}, warps), 1, 1);
  };
  EXPECT_DOUBLE_EQ(run(2).cycles, 4);
  m.fence = 6;
  m.lone_fence = 3;
  EXPECT_DOUBLE_EQ(run(2).cycles, 10);
  EXPECT_DOUBLE_EQ(run(2).unit_busy[lsu], 1);
  EXPECT_DOUBLE_EQ(run(1).cycles, 1 + 3 + 1) << "a block of one warp";
}

// By hand: accesses of 10 cycles each, four warps of one scheduler with two each. Without a queue all have
// issued within 8 cycles; of two that may wait the fourth issues when the first of the waiting is served, at
// 10, and the eighth at 50: the last ends at 80 as before.
TEST(SmSimulation, so_many_accesses_of_a_scheduler_wait_for_their_pipe) {
  SmMachine m = machine();
  m.schedulers = 1;
  m.accesses = lsu;
  WarpStep load = access(lsu, 10, 0);
  load.load = false;
  load.queued = true;
  const auto throttled = [&](std::size_t queue) {
    m.access_queue = queue;
    const SmRun run = run_blocks(m, block({load, load}, 4), 1, 1);
    EXPECT_DOUBLE_EQ(run.cycles, 80);
    return run.stalls[static_cast<std::size_t>(Stall::mio_throttle)];
  };
  EXPECT_EQ(throttled(0), 0);
  EXPECT_EQ(throttled(8), 0);
  EXPECT_GT(throttled(4), 0);
  EXPECT_GT(throttled(2), throttled(4));
}

TEST(SmSimulation, a_warp_that_has_left_is_waited_for_by_nobody) {
  const BlockProgram two{
      {{instruction(1, 0)}, {instruction(1, 3, 10, WarpWait::results), barrier(), barrier()}}, {0, 1}};
  EXPECT_NEAR(run_blocks(machine(), two, 1, 1).cycles, 40, 3);
}

TEST(SmSimulation, says_how_busy_its_units_were) {
  const SmRun run = run_blocks(machine(), block({access(lsu, 5, 0)}, 4), 1, 1);
  EXPECT_DOUBLE_EQ(run.unit_busy[lsu], 1);
  EXPECT_DOUBLE_EQ(run.unit_busy[alu], 0);
  EXPECT_DOUBLE_EQ(run.issue, 4 / (20.0 * 2));
}

// Every mechanism at once, in few resident blocks and in many, whole and continued.
BlockProgram everything() {
  WarpStep load = access(memory, 11, 90), either = instruction(1.5, 4.25, 3, WarpWait::loads);
  load.spread = 30;
  load.uses[1] = {lsu, 2.5};
  load.used = 2;
  either.uses[1] = {lsu, 3};
  either.used = 2;
  either.any = true;
  WarpStep slots;
  slots.repeat = 7;
  slots.pause = 13;
  const WarpStep chain = instruction(2, 4.5, 5, WarpWait::results);
  return {{{slots, load, load, either, barrier(), chain},
           {slots, load, barrier(), chain, chain, access(memory, 4, 60)}},
          {0, 1, 1}};
}

SmMachine busy_machine() {
  SmMachine m = machine();
  m.sms = 4;
  m.issue_interval = 1;
  m.reissue_gap = 1.5;
  m.barrier = 7;
  m.barrier_per_warp = 2;
  m.launch = 50;
  m.launch_interval = 30;
  m.units[memory].servers = 16;
  m.units[memory].piece = 1.25;
  return m;
}

// Two accesses of 32 turns each: those of one warp 64 cycles apart, those of two warps as close as the unit
// lets them.
TEST(SmSimulation, turns_of_one_warps_accesses_are_further_apart_than_those_of_several) {
  WarpStep conflicting = access(lsu, 32, 20);
  conflicting.path = 64;
  const double one =
      run_blocks(machine(), block({conflicting, conflicting, instruction(1, 0, 1, WarpWait::loads)}), 1, 1)
          .cycles;
  const double two =
      run_blocks(machine(), block({conflicting, instruction(1, 0, 1, WarpWait::loads)}, 2), 1, 1).cycles;
  EXPECT_NEAR(one, 64 + 32 + 20, 3);
  EXPECT_NEAR(two, 32 + 32 + 20, 3);
}

// The first version kept its events in a sorted queue, looked every unit up, and ran the first half by
// itself; the numbers are of the one in which a scheduler takes the youngest, of many rounds of that in which
// the launcher serves other SMs while one is not ready.
TEST(SmSimulation, of_all_mechanisms_together_says_what_it_said) {
  const auto expect = [](std::size_t resident, double blocks, double cycles, double memory_busy) {
    const SmRun run = run_blocks(busy_machine(), everything(), resident, blocks);
    EXPECT_DOUBLE_EQ(run.cycles, cycles) << resident << " " << blocks;
    EXPECT_DOUBLE_EQ(run.unit_busy[memory], memory_busy) << resident << " " << blocks;
  };
  expect(1, 7, 3254, 0.11186232329440689);
  expect(2, 1000.5, 231943.90679504999, 0.22357703095346065); // the long ones at the pace of 48 rounds
  expect(5, 30, 3453, 0.45178105994787143);
  expect(5, 1000, 102731.44399370957, 0.50003004988280542);
  expect(32, 32, 2216, 0.75090252707581229);
}

} // namespace perfmodel::sm_simulation_test
