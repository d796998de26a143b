#include "models/simulate/warp_code.hpp"

#include <gtest/gtest.h>

#include <tuple>
#include <utility>

namespace perfmodel::warp_code_test {

// Units: 0 port, 1 shared memory and L1, 2 L2, 3 device memory.
SmModel model() {
  SmModel sm;
  sm.machine.units = {{.name = "port"},
                      {.name = "lsu", .of = UnitOf::sm},
                      {.name = "l2"},
                      {.name = "dram"},
                      {.name = "stores"}};
  sm.lsu = 1, sm.l2 = 2, sm.dram = 3, sm.stores_to_l2 = 4;
  sm.port_cycles = 4;
  sm.lone_register = 2;
  sm.shared_latency = 22;
  sm.lone_wavefront = 2;
  sm.fill_cycles = 1.0 / 64;
  sm.idle_access = 1;
  return sm;
}

double cycles_of(const WarpStep& step, std::size_t unit) {
  double cycles = 0;
  for (std::size_t i = 0; i < step.used; ++i)
    if (step.uses[i].unit == unit) cycles += step.uses[i].cycles;
  return cycles;
}

// Measured on an H200 by one warp: loads of 4, 8 and 16 B every 4.3, 4.7 and 8.3 cycles, stores
// every 4.1, 6.1 and 10.1.
TEST(WarpCode, a_scheduler_hands_over_a_register_in_two_cycles) {
  const SmModel sm = model();
  for (const auto& [registers, load, store] : {std::tuple{1, 4, 4}, {2, 4, 6}, {4, 8, 10}}) {
    WarpCode code(sm);
    code.shared_load(1, WarpWait::nothing, registers).shared_store(1, WarpWait::nothing, registers);
    EXPECT_DOUBLE_EQ(cycles_of(code.steps()[0], sm.port), load) << registers;
    EXPECT_DOUBLE_EQ(cycles_of(code.steps()[1], sm.port), store) << registers;
  }
}

// 32 wavefronts keep the banks for as many cycles, and a warp alone waits twice as long.
TEST(WarpCode, wavefronts_keep_the_banks) {
  const SmModel sm = model();
  WarpCode code(sm);
  code.shared_load(32);
  EXPECT_DOUBLE_EQ(cycles_of(code.steps()[0], sm.lsu), 32);
  EXPECT_DOUBLE_EQ(32 + code.steps()[0].latency, 23 + 31 * 2);
  EXPECT_DOUBLE_EQ(code.counts().wavefronts, 32);
}

// An H200 of 29 November 2026: one warp's loads of 4, 8 and 32 wavefronts take 14, 22 and 71 cycles, those of
// two warps of the same scheduler 7, 11 and 35 each. Without conflicts the scheduler's port is what they wait
// for.
TEST(WarpCode, wavefronts_of_one_warp_follow_one_another_more_slowly) {
  const SmModel sm = model();
  const auto path = [&](double wavefronts, double registers) {
    WarpCode code(sm);
    code.shared_load(wavefronts, WarpWait::nothing, registers)
        .shared_store(wavefronts, WarpWait::nothing, registers);
    return std::pair<int, int>(code.steps()[0].path, code.steps()[1].path);
  };
  EXPECT_EQ(path(1, 1), std::pair(0, 0));
  EXPECT_EQ(path(4, 4), std::pair(0, 0)) << "16 bytes a lane";
  EXPECT_EQ(path(32, 1), std::pair(64, 64));
}

TEST(WarpCode, an_access_that_no_lane_makes_takes_its_slot_and_is_no_wavefront) {
  const SmModel sm = model();
  WarpCode code(sm);
  code.predicated_off(2);
  ASSERT_EQ(code.steps().size(), 2u);
  EXPECT_DOUBLE_EQ(cycles_of(code.steps()[1], sm.lsu), 1);
  EXPECT_DOUBLE_EQ(code.counts().wavefronts, 0);
}

// Two loads of 128 B: their 256 B are taken in once they have come, by the step that waited for them.
TEST(WarpCode, banks_take_in_what_comes_from_l2_when_it_comes) {
  const SmModel sm = model();
  WarpCode code(sm);
  const Traffic line{.wavefronts = 1, .l2_bytes = 128, .dram_bytes = 128};
  code.load(line, WarpWait::nothing)
      .load(line, WarpWait::nothing)
      .slots(1)
      .shared_store(1, WarpWait::loads)
      .slots(1);
  const WarpProgram& steps = code.steps();
  EXPECT_DOUBLE_EQ(cycles_of(steps[0], sm.lsu), 1);
  EXPECT_DOUBLE_EQ(cycles_of(steps[2], sm.lsu), 0);
  EXPECT_DOUBLE_EQ(cycles_of(steps[3], sm.lsu), 1 + 4);
  EXPECT_DOUBLE_EQ(cycles_of(steps[4], sm.lsu), 0);
}

// One lane's word for all blocks of the device: L2 adds to it one after the other.
TEST(WarpCode, blocks_that_count_wait_for_each_other) {
  SmModel sm = model();
  sm.machine.units.push_back({.name = "counter", .of = UnitOf::device});
  sm.counter = 4;
  sm.counter_cycles = 100;
  WarpCode code(sm);
  code.count_up();
  EXPECT_DOUBLE_EQ(cycles_of(code.steps()[0], sm.counter), 100);
  EXPECT_TRUE(code.steps()[0].load);
}

TEST(WarpCode, a_store_is_done_when_l2_has_it) {
  SmModel sm = model();
  sm.l2_cycles = 0.5, sm.write_cycles = 1;
  WarpCode code(sm);
  code.store({.wavefronts = 1, .l2_bytes = 128, .dram_bytes = 128});
  for (std::size_t i = 0; i < code.steps()[0].used; ++i) {
    const UnitUse& use = code.steps()[0].uses[i];
    EXPECT_EQ(use.posted, use.unit == sm.port || use.unit == sm.dram) << use.unit;
  }
}

} // namespace perfmodel::warp_code_test
