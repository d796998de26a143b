// Loads: where their bytes come from, how long by chance, and what a warp waits for its own turns.
#include "costed_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel::step_cost_test {

// Loads of a warp, 128 bytes of each: what four SMs ask for together L2 sends once, at the rate of the links
// at most; what is copied into shared memory passes the banks once.
TEST(StepCostLoads, lines_that_sms_ask_for_together_take_l2_less_time) {
  const auto load = [](double together, const std::string& opcode) {
    return costs_of_code(
               "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, 0x4, R2\n" + opcode + "\nEXIT",
               false, 0, 32, 0,
               [](KernelCosts& c) {
                 c.sm.l2_cycles = 0.03;
                 c.l2_together = 0.01;
                 c.sm.wavefront = 1;
                 c.sm.fill_cycles = 0.5 / 128;
               },
               together)
        .steps[6];
  };
  const std::string global = "LDG.E R5, desc[UR4][R2.64]", copy = "LDGSTS.E [R0], desc[UR4][R2.64]";
  EXPECT_DOUBLE_EQ(load(1, global).uses[2].cycles, 128 * 0.03);
  EXPECT_DOUBLE_EQ(load(2, global).uses[2].cycles, 128 * 0.015);
  EXPECT_DOUBLE_EQ(load(4, global).uses[2].cycles, 128 * 0.01);
  EXPECT_DOUBLE_EQ(load(1, global).uses[1].cycles, 1.5);
  EXPECT_DOUBLE_EQ(load(1, copy).uses[1].cycles, 1);
}

// 32 lines each: L2 looks for every one of them where blocks next to one another ask for them (an H200, four
// blocks that share the sectors of a column, 28 November 2026: 133 G/s of 155 that gathers reach, not four
// times as many), but not where all blocks do.
TEST(StepCostLoads, each_line_of_a_gather_is_looked_for_unless_all_blocks_ask_for_it) {
  const auto gather = [](double together, double gathered) {
    return costs_of_code(
               "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, 0x80, R2\n"
               "LDG.E R5, desc[UR4][R2.64]\nEXIT",
               false, 0, 32, 0, [](KernelCosts& c) { c.sm.l2_cycles = 0.03; }, together, false, gathered)
        .steps[6]
        .uses[2]
        .cycles;
  };
  EXPECT_DOUBLE_EQ(gather(1, 1), 32 * 64 * 0.03);
  EXPECT_DOUBLE_EQ(gather(4, 1), gather(1, 1));
  EXPECT_DOUBLE_EQ(gather(4, 4), gather(1, 1) / 4);
}

// One address for all lanes: L1 hands over one word of 128 bits, and fills four registers. H200, 29 November
// 2026: 1.005, 2.003 and 4.039 cycles of an SM for loads of 32, 64 and 128 bits by 32 warps.
TEST(StepCostLoads, wide_loads_fill_as_many_registers_whatever_lanes_share) {
  const auto cycles = [](const std::string& width, bool again) {
    const std::string load = "LDG.E" + width + " R8, desc[UR4][R2.64]\n";
    const TracedBlocks made =
        costs_of_code("LDC.64 R2, c[0x0][0x210]\n" + load + (again ? load : "") + "EXIT", false, 0, 32, 0,
                      [](KernelCosts& c) { c.sm.wavefront = 1; });
    return made.steps[made.programs[0][again ? 2 : 1]].uses[1].cycles;
  };
  for (const bool again : {false, true}) { // from L2, and from L1
    EXPECT_DOUBLE_EQ(cycles("", again), 1);
    EXPECT_DOUBLE_EQ(cycles(".64", again), 2);
    EXPECT_DOUBLE_EQ(cycles(".128", again), 4);
  }
}

// 32 lanes whose words lie in one bank take 32 turns, which stand apart for a warp alone; 16 bytes a lane
// take four in any case, side by side.
TEST(StepCostLoads, turns_of_one_warp_stand_apart_where_words_meet_in_banks) {
  const auto path = [](const std::string& load, const std::string& apart) {
    return costs_of_code(
               "S2R R0, SR_TID.X\nIMAD R2, R0, " + apart + ", RZ\n" + load + " R4, [R2]\nEXIT", false, 0, 32,
               0, [](KernelCosts& c) { c.sm.wavefront = 1, c.sm.lone_wavefront = 2, c.sm.port_cycles = 4; })
        .steps[4]
        .path;
  };
  EXPECT_EQ(path("LDS", "0x80"), 64);
  EXPECT_EQ(path("LDS", "0x4"), 0);
  EXPECT_EQ(path("LDS.128", "0x10"), 0);
}

// Of each load of a warp two steps are listed, found in L2 and not; the second load finds what the first
// brought.
TEST(StepCostLoads, what_the_block_has_had_does_not_come_from_device_memory_again) {
  const TracedBlocks made =
      costs_of_code("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, 0x4, R2\n"
                    "LDG.E.STRONG.SYS R4, desc[UR4][R2.64]\nLDG.E.STRONG.SYS R5, desc[UR4][R2.64]\nEXIT",
                    false, 1);
  ASSERT_EQ(made.programs.size(), 1u);
  EXPECT_EQ(made.programs[0][3] % 2, 1u);
  EXPECT_EQ(made.programs[0][4] % 2, 0u);
}

// A warp waits for the slowest of the places that its lanes read: where each takes longer by an exponential
// distribution, the slowest of n by 1 + 1/2 + .. + 1/n of its mean. On an H200 690 cycles for one, 1140 for
// 32 (probe gather-latency). Words of whole lines come together.
TEST(StepCostLoads, a_gather_waits_for_the_slowest_of_its_places_in_device_memory) {
  const auto latencies = [](std::string_view apart) { // in L2, in device memory
    const TracedBlocks made = costs_of_code("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, " +
                                            std::string(apart) + ", R2\nLDG.E R4, desc[UR4][R2.64]\nEXIT");
    return std::pair(made.steps[6].latency, made.steps[7].latency + made.steps[7].tail);
  };
  EXPECT_EQ(latencies("0x4"), std::pair(0.0, 600.0)) << "one line";
  EXPECT_EQ(latencies("0x20"), std::pair(0.0, 600.0)) << "whole lines";
  EXPECT_NEAR(latencies("0x80").second, 600 + 305.8, 0.1) << "a sector of each of 32 lines";
  EXPECT_NEAR(latencies("0x40").second, 600 + 238.1, 0.1) << "of 16";
}

// A load takes longer by chance, as much as the others of its block whose data lie in the same row of device
// memory, 1 KiB of it: eight warps of whole lines. Of rows of a matrix, 64 KiB apart, each comes by itself.
// Neither changes how long they take in the mean. (Copies of 16384 x 16384 words on an H200, 26 November
// 2026: blocks of 256 x 1 take 0.81 ms, of 32 x 8 0.85, of 32 x 32 1.11.)
TEST(StepCostLoads, loads_of_a_block_come_by_chance_together_where_they_lie_in_a_row) {
  const auto load = [](std::string_view row) { // of the second warp, in device memory
    const TracedBlocks made = costs_of_code(
        "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nSHF.R.U32.HI R1, RZ, 0x5, R0\nLOP3.LUT R0, R0, 0x1f, "
        "RZ, 0xc0, !PT\nIMAD.WIDE R2, R0, 0x4, R2\nIMAD.WIDE R2, R1, " +
            std::string(row) + ", R2\nLDG.E R4, desc[UR4][R2.64]\nEXIT",
        false, 1, 64);
    return made.steps[made.programs[made.blocks[0][1]][6]];
  };
  for (const char* row : {"0x80", "0x10000"}) {
    EXPECT_EQ(load(row).tail, 100) << row;
    EXPECT_EQ(load(row).latency, 500) << row;
  }
  EXPECT_EQ(load("0x80").alike, 8);
  EXPECT_EQ(load("0x10000").alike, 1);
}

// A sum of four words of each thread: of two rows, those of each come together. In the next trip they are
// others.
TEST(StepCostLoads, loads_of_a_warp_come_by_chance_together_where_they_lie_in_a_row) {
  const TracedBlocks made = costs_of_code(
      "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, 0x4, R2\nMOV R9, RZ\n.L_1:\nLDG.E R4, "
      "desc[UR4][R2.64]\nLDG.E R5, desc[UR4][R2.64+0x200]\nLDG.E R6, desc[UR4][R2.64+0x1000]\nLDG.E R7, "
      "desc[UR4][R2.64+0x1200]\nIADD3 R2, P1, R2, 0x2000, RZ\nIADD3 R9, R9, 0x1, RZ\nISETP.NE.AND P0, PT, "
      "R9, "
      "0x2, PT\n@P0 BRA `(.L_1)\nEXIT",
      false, 1);
  std::string rows;
  for (const std::uint32_t step : made.programs[made.blocks[0][0]])
    if (made.steps[step].tail > 0) rows += made.steps[step].in_row ? 'n' : '.';
  EXPECT_EQ(rows, ".n.n.n.n");
}

// On an H100 loads of a sector of each of four lines take 4.1 cycles of an SM, those of one whole line 1.55.
TEST(StepCostLoads, what_comes_from_l2_fills_l1_while_further_lines_are_looked_for) {
  const auto cycles = [](std::string_view apart) {
    const TracedBlocks made =
        costs_of_code("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nSHF.R.U32.HI R0, RZ, 0x3, R0\n"
                      "IMAD.WIDE R2, R0, " +
                      std::string(apart) + ", R2\nLDG.E R4, desc[UR4][R2.64]\nEXIT");
    return made.steps[8].uses[1].cycles;
  };
  EXPECT_EQ(cycles("0x80"), 4) << "a sector of each of four lines, of eight lanes each";
  EXPECT_DOUBLE_EQ(cycles("0x20"), 1.5) << "four sectors of one line";
}

// Two warps that load the same line: each has a step that fetches it, with the one that it makes instead
// where the other has come before.
TEST(StepCostLoads, warps_that_load_the_same_line_fetch_it_where_they_come_first) {
  const TracedBlocks made =
      costs_of_code("LDC.64 R2, c[0x0][0x210]\nLDG.E R5, desc[UR4][R2.64]\nEXIT", false, 0, 64);
  for (const std::size_t program : made.blocks[0]) {
    const std::vector<std::uint32_t>& list = made.programs[program];
    const auto load = std::find_if(list.begin(), list.end(),
                                   [&](std::uint32_t step) { return made.steps[step].found > 0; });
    ASSERT_NE(load, list.end());
    const WarpStep &fetched = made.steps[*load], &found = made.steps[fetched.found - 1];
    EXPECT_FALSE(fetched.cached);
    EXPECT_TRUE(found.cached);
    EXPECT_EQ(found.found, 0u);
  }
}

// Two trips of four warps, two to a line: they meet in two groups.
TEST(StepCostLoads, warps_meet_in_groups_of_those_that_load_the_same_line) {
  const TracedBlocks made = costs_of_code(
      "LDC.64 R2, c[0x0][0x210]\nS2R R0, SR_TID.X\nSHF.R.U32.HI R6, RZ, 0x6, R0\n"
      "IMAD.WIDE R2, R6, 0x80, R2\nIMAD.MOV.U32 R8, RZ, RZ, RZ\nLDG.E R5, desc[UR4][R2.64]\n"
      "IADD3 R2, R2, 0x1000, RZ\nIADD3 R8, R8, 0x1, RZ\nISETP.NE.AND P0, PT, R8, 0x2, PT\n@P0 BRA 0x50\nEXIT",
      false, 0, 128);
  constexpr std::size_t load = 5, trip = 5; // instructions
  ASSERT_EQ(made.blocks[0].size(), 4u);
  for (std::size_t warp = 0; warp < 4; ++warp)
    for (const std::size_t place : {load, load + trip}) {
      const WarpStep& step = made.steps[made.programs[made.blocks[0][warp]][place]];
      EXPECT_GT(step.found, 0u);
      EXPECT_FALSE(step.cached);
      EXPECT_EQ(step.group_of_warps, warp / 2);
    }
}

// Found in L1 or not, a load of global memory holds its scheduler for more than its slot (probe
// queued-issue).
TEST(StepCostLoads, of_global_memory_hold_a_scheduler_beside_their_slot) {
  const TracedBlocks made =
      costs_of_code("LDC.64 R2, c[0x0][0x210]\nLDG.E R5, desc[UR4][R2.64]\nLDG.E R6, desc[UR4][R2.64]\nEXIT",
                    false, 0, 32, 0, [](KernelCosts& c) { c.sm.queued_global = 1.5, c.sm.queued = 0.25; });
  const WarpStep &fetched = made.steps[2], &found = made.steps[4];
  EXPECT_FALSE(fetched.cached);
  EXPECT_DOUBLE_EQ(fetched.issue, 1.5);
  EXPECT_TRUE(found.cached);
  EXPECT_DOUBLE_EQ(found.issue, 1.5);
}

} // namespace perfmodel::step_cost_test
