// Memory fences, and atomic operations of shared memory: what they cost, and what the warps wait for.
#include "costed_code.hpp"
#include "small_sm.hpp"
#include "traced.hpp"

#include "tests/models/ask.hpp"

#include "models/core/trace.hpp"
#include "models/simulate/kernel_costs.hpp"

#include <gtest/gtest.h>

#include <string>

namespace perfmodel::memory_fence_test {

using namespace small_sm;

WarpStep fence(Fence scope, double interval, double latency) {
  WarpStep step;
  step.fence = scope;
  step.uses[0] = {lsu, interval};
  step.used = 1;
  step.latency = latency;
  return step;
}

WarpStep store() {
  WarpStep step = access(memory, 5, 0);
  step.load = false;
  step.store = true;
  return step;
}

double cycles(const SmMachine& m, WarpProgram program, std::size_t warps = 1) {
  return run_blocks(m, block(std::move(program), warps), 1, 1).cycles;
}

// Each begins when the one before is through the SM's unit, and takes its latency from there.
TEST(MemoryFence, warps_take_turns_and_wait_side_by_side) {
  const WarpProgram program{fence(Fence::device, 10, 100), instruction(1, 0)};
  EXPECT_DOUBLE_EQ(cycles(machine(), program), 10 + 100 + 1);
  EXPECT_DOUBLE_EQ(cycles(machine(), program, 2), 2 * 10 + 100 + 1);
}

// A load ends at 1 + 5 + 70 or so; the fence waits for it, and then for its own way.
TEST(MemoryFence, what_was_asked_for_before_has_to_be_there) {
  const WarpProgram program{access(memory, 5, 70), fence(Fence::block, 2, 10), instruction(1, 0)};
  EXPECT_DOUBLE_EQ(cycles(machine(), program), 5 + 70 + 10 + 1);
}

TEST(MemoryFence, a_store_before_it_counts_until_the_others_see_it) {
  SmMachine m = machine();
  m.fences = lsu;
  const WarpProgram of_block{store(), fence(Fence::block, 2, 10), instruction(1, 0)},
      beyond{store(), fence(Fence::device, 2, 10), instruction(1, 0)};
  const double before = cycles(m, beyond);
  EXPECT_DOUBLE_EQ(cycles(m, of_block), before);
  m.fence_behind_store = 50; // the store began at once
  EXPECT_DOUBLE_EQ(cycles(m, beyond), 50 + 10 + 1);
  EXPECT_DOUBLE_EQ(cycles(m, of_block), before);
}

// The unit is busy for longer behind a fence whose warp has stored, and not behind the next one.
TEST(MemoryFence, keeps_the_unit_longer_where_its_warp_has_stored_or_loaded) {
  SmMachine m = machine();
  m.fences = lsu;
  const WarpProgram twice{store(), fence(Fence::device, 10, 0), fence(Fence::device, 10, 0)};
  const double before = cycles(m, twice);
  m.fence_of_store = 8;
  EXPECT_DOUBLE_EQ(cycles(m, twice), before + 8);
  m.fence_of_load = 30;
  EXPECT_DOUBLE_EQ(cycles(m, twice), before + 8);
}

TEST(MemoryFence, a_load_behind_it_comes_later) {
  SmMachine m = machine();
  const WarpProgram program{fence(Fence::device, 10, 100), access(memory, 5, 70),
                            instruction(1, 0, 1, WarpWait::loads)};
  const double before = cycles(m, program);
  m.load_behind_fence = 40; // of which it is served for five
  EXPECT_DOUBLE_EQ(cycles(m, program), before + 40 - 5);
}

TEST(MemoryFence, its_stall_is_told) {
  const SmRun run = run_blocks(machine(), block({fence(Fence::device, 10, 100), instruction(1, 0)}), 1, 1);
  EXPECT_DOUBLE_EQ(run.stalls[static_cast<std::size_t>(Stall::membar)], 110);
}

TEST(MemoryFence, costs_by_its_scope) {
  const auto step = [](const std::string& scope) {
    return step_cost_test::costs_of_code("MEMBAR.SC." + scope + "\nEXIT", false, 0, 32, 0,
                                         [](KernelCosts& c) {
                                           c.block_fence = {8, 3};
                                           c.gpu_fence = {270, 10};
                                           c.system_fence = {1000, 27};
                                         })
        .steps[0];
  };
  const WarpStep block = step("CTA"), gpu = step("GPU"), system = step("SYS");
  EXPECT_EQ(block.fence, Fence::block);
  EXPECT_EQ(gpu.fence, Fence::device);
  EXPECT_EQ(system.fence, Fence::device);
  EXPECT_DOUBLE_EQ(block.latency + block.uses[0].cycles, 8);
  EXPECT_DOUBLE_EQ(gpu.latency + gpu.uses[0].cycles, 270);
  EXPECT_DOUBLE_EQ(system.latency + system.uses[0].cycles, 1000);
  EXPECT_DOUBLE_EQ(system.uses[0].cycles, 27);
}

// CCTL.IVALL, which the compiler puts behind a fence of the GPU's scope, empties L1.
TEST(MemoryFence, what_l1_had_is_fetched_anew_behind_it) {
  const std::string address = "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x4, R2\n",
                    load = "LDG.E R6, desc[UR4][R4.64]\n";
  const auto sectors = [&](const std::string& between) {
    return block_trace_test::Traced(address + load + between + load + "EXIT").last(Space::global).sectors;
  };
  EXPECT_EQ(sectors(""), 0);
  EXPECT_EQ(sectors("MEMBAR.SC.GPU\nERRBAR\nCCTL.IVALL\n"), 4);
}

KernelCosts costs_on(const Gpu& gpu, std::string_view code) {
  Plain trace;
  return costs_of(gpu, read_listing(listing_of(code), ""), {}, trace);
}

// Before there is an L2, compute capability 2.0, stores are seen in device memory.
TEST(MemoryFence, waits_for_device_memory_where_there_is_no_l2) {
  const KernelCosts costs = costs_on(gpu_named("gtx280"), "MEMBAR.SC.GPU\nEXIT");
  EXPECT_DOUBLE_EQ(costs.gpu_fence.latency, costs.sm.dram_latency);
  EXPECT_GT(costs_on(measured_gpu("h200"), "MEMBAR.SC.GPU\nEXIT").gpu_fence.latency, 0);
  EXPECT_EQ(costs_on(measured_gpu("h200"), "EXIT").gpu_fence.latency, 0) << "not asked for";
}

// H200: 23 cycles for a load, 26 for an addition (probe instruction-latency), 35 and two wavefronts for a
// compare-and-swap (probe shared-swap).
TEST(SharedAtomics, take_longer_than_loads) {
  const KernelCosts costs = costs_on(measured_gpu("h200"), "ATOMS.CAS R2, [RZ], R4, R5\nEXIT");
  EXPECT_NEAR(costs.shared_atomic, 3, 0.1);
  EXPECT_NEAR(costs.shared_swap, 12, 0.1);
  EXPECT_NEAR(costs.swap_interval, 2, 0.1);
  const auto step = [](const std::string& opcode) {
    return step_cost_test::costs_of_code(opcode + "\nEXIT", false, 0, 32, 0,
                                         [](KernelCosts& c) {
                                           c.sm.wavefront = 1;
                                           c.shared_atomic = 3;
                                           c.shared_swap = 12;
                                           c.swap_interval = 2;
                                         })
        .steps[0];
  };
  const WarpStep load = step("LDS R2, [RZ]"), add = step("ATOMS.POPC.INC.32 RZ, [RZ]"),
                 swap = step("ATOMS.CAST.SPIN R2, [RZ], R4, R5");
  EXPECT_DOUBLE_EQ(add.latency - load.latency, 3);
  EXPECT_DOUBLE_EQ(swap.latency - load.latency, 12);
  EXPECT_DOUBLE_EQ(load.uses[1].cycles, 1);
  EXPECT_GE(swap.uses[1].cycles, 2);
}

} // namespace perfmodel::memory_fence_test
