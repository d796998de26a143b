// Atomic operations in L2: by sectors, by words, and by what they do.
#include "costed_code.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace perfmodel::step_cost_test {

// One word that all lanes add to: on an H100 0.74 ns for each addition of integers, 1.76 of floats.
TEST(StepCostAtomics, additions_of_floats_to_one_word_take_longer_than_those_of_integers) {
  const auto cycles = [](std::string_view type) {
    const TracedBlocks made = costs_of_code("LDC.64 R2, c[0x0][0x210]\nREDG.E.ADD" + std::string(type) +
                                            ".STRONG.GPU desc[UR4][R2.64], R5\nEXIT");
    return made.steps[2].uses[3].cycles;
  };
  EXPECT_EQ(cycles(""), 32 * 10);
  EXPECT_EQ(cycles(".F32.FTZ.RN"), 32 * 24);
  EXPECT_EQ(cycles(".F64.RN"), 32 * 24);
  EXPECT_EQ(cycles(".F32x4.FTZ.RN"), 32 * 24);
}

// On an H200 48 384 warps that each add to one line of integers take 119 us, to eight lines side by side 59
// us, to 32 words of as many lines no longer than their slices do (HeCBench's atomicPerf, 27 November 2026).
TEST(StepCostAtomics, lines_of_one_slice_of_l2_are_added_to_one_after_the_other) {
  const auto cycles = [](double lines) {
    return costs_of_code("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, 0x4, R2\n"
                         "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5\nEXIT",
                         false, 0, 32, lines, [](KernelCosts& c) { c.atomic = {.all = 1, .kib = 40}; })
        .steps[6]
        .uses[3]
        .cycles;
  };
  EXPECT_DOUBLE_EQ(cycles(8), 4 * 40) << "four sectors at the rate of a KiB, which has eight lines";
  EXPECT_DOUBLE_EQ(cycles(1), 2 * cycles(8));
  EXPECT_DOUBLE_EQ(cycles(4), cycles(1)) << "512 bytes";
  EXPECT_DOUBLE_EQ(cycles(32), cycles(8) / 4);
  // 80 cycles of one slice are one of all: there are 80. Of 80 groups of four lines some have two.
  EXPECT_NEAR(cycles(320), 4 * 80.0 / (80 / 2), 0.05);
}

// A sector holds four doubles, and L2 takes two cycles to add to them; one in each takes as long as an
// integer.
TEST(StepCostAtomics, atomic_operations_of_l2_have_rates_by_what_they_do) {
  const auto cycles = [](const std::string& code, const char* bytes) {
    return costs_of_code("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, " +
                             std::string(bytes) + ", R2\n" + code + "\nEXIT",
                         false, 0, 32, 1e6,
                         [](KernelCosts& c) {
                           c.atomic = {.all = 10, .kib = 0};
                           c.double_atomic = {.all = 20, .kib = 0};
                           c.swap = {.all = 30, .kib = 0};
                           c.result_atomic = 15;
                         })
        .steps[6]
        .uses[2]
        .cycles;
  };
  EXPECT_DOUBLE_EQ(cycles("REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5", "0x4"), 4 * 10);
  EXPECT_DOUBLE_EQ(cycles("REDG.E.ADD.F64.RN.STRONG.GPU desc[UR4][R2.64], R6", "0x8"), 8 * 20);
  EXPECT_DOUBLE_EQ(cycles("REDG.E.ADD.F64.RN.STRONG.GPU desc[UR4][R2.64], R6", "0x20"), 32 * 10);
  EXPECT_DOUBLE_EQ(cycles("ATOMG.E.ADD.STRONG.GPU PT, R8, desc[UR4][R2.64], R5", "0x4"), 4 * 15);
  EXPECT_DOUBLE_EQ(cycles("ATOMG.E.CAS.STRONG.GPU PT, R8, [R2], R4, R5", "0x4"), 4 * 30);
}

// Lanes of a warp that add to one word: two to each of 16 words in two sectors, eight to each of four words
// in one, all to one. On an H200 of 28 November 2026 these took 4.8, 13 and 36 turns of 107 G/s; the turns of
// a sector whose words several lanes want take longer than those of different sectors. Pairs of halves go at
// the rate of doubles.
TEST(StepCostAtomics, an_atomic_operation_takes_a_turn_of_a_sector_for_each_lane_of_a_word) {
  const auto cycles = [](const std::string& shift, const std::string& code) {
    return costs_of_code("S2R R0, SR_TID.X\nSHF.R.U32.HI R0, RZ, " + shift +
                             ", R0\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, 0x4, R2\n" + code +
                             " desc[UR4][R2.64], R5\nEXIT",
                         false, 0, 32, 1e6,
                         [](KernelCosts& c) {
                           c.atomic = {.all = 10, .kib = 0};
                           c.double_atomic = {.all = 20, .kib = 0};
                           c.sector_atomic = 16;
                           c.sm.counter_cycles = c.float_counter = 0;
                         })
        .steps[8]
        .uses[2]
        .cycles;
  };
  const std::string add = "REDG.E.ADD.STRONG.GPU";
  EXPECT_DOUBLE_EQ(cycles("0x0", add), 4 * 10);
  EXPECT_DOUBLE_EQ(cycles("0x1", add), 2 * 2 * 10);
  EXPECT_DOUBLE_EQ(cycles("0x3", add), 8 * 16) << "again and again the same sector";
  EXPECT_DOUBLE_EQ(cycles("0x5", add), 32 * 10) << "one word";
  EXPECT_DOUBLE_EQ(cycles("0x0", "REDG.E.ADD.F16x2.RN.STRONG.GPU"), 4 * 20);
  EXPECT_DOUBLE_EQ(cycles("0x0", "REDG.E.ADD.BF16x2.RN.STRONG.GPU"), 4 * 20);
}

// 32 words, each alone in its line, of an array that L2 does not hold: each sector is read from device
// memory, and written there when L2 has no more room for it. What meets in few lines stays in L2.
TEST(StepCostAtomics, what_l2_does_not_hold_is_read_from_device_memory_and_written) {
  const auto added = [](const std::string& code, double missing, bool writes, double lines = 1e6) {
    const TracedBlocks made = costs_of_code(
        "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, 0x80, R2\n" + code + "\nEXIT", false,
        missing, 32, lines,
        [](KernelCosts& c) {
          c.sm.dram = 8, c.sm.counter = 9;
          c.sm.read_cycles = 0.25, c.sm.write_cycles = 0.5;
        },
        1, writes);
    return made.steps[made.programs[made.blocks[0][0]][3]];
  };
  const std::string add = "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5",
                    fetch = "ATOMG.E.ADD.STRONG.GPU PT, R8, desc[UR4][R2.64], R5";
  const WarpStep far = added(add, 1, true), near = added(add, 0, true), kept = added(add, 0, false);
  EXPECT_EQ(far.uses[3].unit, 8u);
  EXPECT_TRUE(far.uses[3].posted);
  EXPECT_DOUBLE_EQ(far.uses[3].cycles, 32 * 32 * (0.25 + 0.5));
  EXPECT_DOUBLE_EQ(near.uses[3].cycles, 32 * 32 * 0.5);
  EXPECT_EQ(kept.uses[3].unit, 9u);
  EXPECT_EQ(added(fetch, 1, true).latency, 600);
  EXPECT_LT(added(fetch, 0, true).latency, 600);
}

} // namespace perfmodel::step_cost_test
