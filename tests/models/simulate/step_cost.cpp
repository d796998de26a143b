// What instructions other than accesses of global memory cost.
#include "costed_code.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace perfmodel::step_cost_test {

// LDC asks the constant cache that all schedulers of an SM share; what ULDC reads for all lanes comes, as
// operands do, from the immediate constant cache (IMC, by the name of the profiler's stall). Each
// load of the first kind takes 2 cycles of an H200's SM, of 32 bits or of 64 (29 November 2026).
TEST(StepCost, a_constant_for_all_lanes_takes_no_turn_of_the_constant_cache) {
  const TracedBlocks made = costs_of_code("LDC.64 R2, c[0x0][0x210]\nULDC.64 UR4, c[0x0][0x208]\nEXIT");
  const WarpStep &by_lanes = made.steps[0], &for_all = made.steps[2]; // each step stands there twice
  ASSERT_EQ(by_lanes.used, 1);
  EXPECT_EQ(by_lanes.uses[0].unit, 3u);
  EXPECT_EQ(by_lanes.uses[0].cycles, 2);
  EXPECT_EQ(for_all.used, 0);
  EXPECT_EQ(for_all.latency, 28);
}

TEST(StepCost, a_warp_sleeps_for_as_long_as_it_says) {
  const TracedBlocks made = costs_of_code("NANOSLEEP 0x32\nEXIT", false, 0, 32, 0,
                                          [](KernelCosts& costs) { costs.sm.clock.value = 2e9; });
  EXPECT_DOUBLE_EQ(made.steps[0].stall, 100) << "50 ns at 2 GHz";
}

// What a store reads it needs for some cycles beyond its own (probe operand-release), a load no longer.
TEST(StepCost, a_store_needs_its_registers_for_longer_than_a_load) {
  KernelCode code = read_listing(listing_of("LDC.64 R2, c[0x0][0x210]\nSTG.E desc[UR4][R2.64], R0\nSTS [RZ], "
                                            "R0\nSTL [RZ], R0\nLDG.E R4, desc[UR4][R2.64]\nEXIT"),
                                 "");
  for (Instruction& i : code.instructions) i.control.read_counter = 2;
  const TracedBlocks made = costs_of_kernel(code, false, 0, 32, 0, [](KernelCosts& costs) {
    costs.sm.global_release = 9.2;
    costs.sm.shared_release = 5;
  });
  const auto of = [&](std::size_t n) { return made.steps[2 * n]; }; // each step stands there twice
  EXPECT_EQ(of(1).operands_read, 2);
  EXPECT_EQ(of(1).reads_for, 10);
  EXPECT_EQ(of(2).reads_for, 6);
  EXPECT_EQ(of(3).reads_for, 10) << "local memory goes the way of global memory";
  EXPECT_EQ(of(4).reads_for, 0);
}

// On an H200 13 cycles pass from a comparison to what it guards (probe predication), where a sum waits for 4:
// the control fields of its code say so, and where there are none the predicate does.
TEST(StepCost, what_is_guarded_waits_for_the_predicate) {
  const TracedBlocks made =
      costs_of_code("ISETP.NE.AND P0, PT, R4, RZ, PT\n@P0 IADD3 R5, R4, R4, RZ\nEXIT", true);
  EXPECT_EQ(made.steps[0].latency, 13);
  ASSERT_EQ(made.steps[2].waits, 1);
  EXPECT_EQ(made.steps[2].waits_for[0], made.steps[0].result);
  EXPECT_EQ(made.steps[2].latency, 0);
}

void with_wavefronts(KernelCosts& costs) {
  costs.sm.wavefront = 2;
  costs.tensor_flops = 1024;
  costs.mma_fp16 = 512;
  costs.mma_tf32 = 256;
  costs.mma_int8 = 1024;
  costs.mma_latency = 20;
  costs.mma_least = 5;
  costs.mma_least_latency = 14;
}

// 16 x 8 x 16 products of halves are 4096 flop; of the other types as many bytes of a row. A chain goes on
// after 20 cycles, of which the unit works for 8 of halves. Half as many flops take half as long, but 5
// cycles at least, and a chain of those goes on after 14.
TEST(StepCost, products_of_a_warp_have_rates_by_what_they_multiply) {
  const auto step = [](const std::string& opcode) {
    return costs_of_code(opcode + " R4, R8, R12, R4\nEXIT", false, 0, 32, 0, with_wavefronts).steps[0];
  };
  const WarpStep halves = step("HMMA.16816.F32");
  EXPECT_DOUBLE_EQ(halves.uses[0].cycles, 8);
  EXPECT_DOUBLE_EQ(halves.latency, 20);
  EXPECT_DOUBLE_EQ(step("HMMA.1688.F32.TF32").uses[0].cycles, 8);
  EXPECT_DOUBLE_EQ(step("HMMA.1684.F32.TF32").uses[0].cycles, 5) << "of half as many terms";
  EXPECT_DOUBLE_EQ(step("HMMA.1688.F32").uses[0].cycles, 5);
  EXPECT_DOUBLE_EQ(step("HMMA.1688.F32").latency, 14);
  EXPECT_DOUBLE_EQ(step("IMMA.16816.S8.S8").uses[0].cycles, 5);
  EXPECT_DOUBLE_EQ(step("IMMA.8816.S8.S8").uses[0].cycles, 5);
  EXPECT_DOUBLE_EQ(step("IMMA.16832.S8.S8").uses[0].cycles, 8);
  EXPECT_THROW(step("DMMA.8x8x4"), InputError) << "its rate is not known";
}

// atomicAdd(p, 1) of a warp whose lanes all count in one word is ATOMS.POPC.INC: their number is added once.
TEST(StepCost, lanes_that_count_in_one_word_of_shared_memory_take_one_turn) {
  const auto cycles = [](const std::string& opcode) {
    return costs_of_code(opcode + "\nEXIT", false, 0, 32, 0, with_wavefronts).steps[0].uses[1].cycles;
  };
  EXPECT_DOUBLE_EQ(cycles("ATOMS.ADD R2, [RZ], R5"), 32 * cycles("ATOMS.POPC.INC.32 RZ, [RZ]"));
}

// 64 x 128 sums of 16 products, of which each of four schedulers has a quarter: 2 x 64 x 128 x 16 / 4 flop,
// at 1024 in a cycle (H200: 4096 of an SM). Rows and columns come from shared memory: (64 + 128) x 32 B / 4
// of each warp, in wavefronts of 128 B.
TEST(StepCost, products_of_four_warps_go_on_while_their_warps_do) {
  const TracedBlocks made =
      costs_of_code("HGMMA.64x128x16.F32 R24, gdesc[UR8].tnspB, R24\n"
                    "HGMMA.64x128x16.F32 R24, R4, gdesc[UR8], R24, gsb0\nWARPGROUP.DEPBAR.LE gsb0, 0x1\n"
                    "LDGDEPBAR\nDEPBAR.LE SB0, 0x2\nEXIT",
                    false, 0, 32, 0, with_wavefronts);
  const WarpStep &first = made.steps[0], &second = made.steps[2], &waits = made.steps[4],
                 &copied = made.steps[6], &copies = made.steps[8];
  EXPECT_DOUBLE_EQ(first.uses[0].cycles, 64);
  EXPECT_DOUBLE_EQ(first.uses[1].cycles, 12 * 2);
  EXPECT_DOUBLE_EQ(second.uses[1].cycles, 8 * 2) << "its rows are in registers";
  EXPECT_TRUE(first.group == AsyncGroup::products && !first.ends_group);
  EXPECT_TRUE(second.ends_group);
  EXPECT_TRUE(waits.awaits == AsyncGroup::products && waits.groups_left == 1);
  EXPECT_TRUE(copied.group == AsyncGroup::copies && copied.ends_group);
  EXPECT_TRUE(copies.awaits == AsyncGroup::copies && copies.groups_left == 2);
}

// The constant cache hands over one address after the other, and bytes of one word are several: on an H200
// 2.0 cycles an SM for each, 64 for 32 bytes side by side as for 32 words (26 November 2026).
TEST(StepCost, bytes_of_constant_memory_take_a_turn_each) {
  const auto cycles = [](std::string_view load) {
    const TracedBlocks made = costs_of_code("S2R R0, SR_TID.X\nLOP3.LUT R1, R0, 0x1c, RZ, 0xc0, !PT\n" +
                                            std::string(load) + "\nEXIT");
    return made.steps[4].uses[0].cycles;
  };
  EXPECT_EQ(cycles("LDC.U8 R4, c[0x3][R0]"), 32 * 2);
  EXPECT_EQ(cycles("LDC R4, c[0x3][R1]"), 8 * 2) << "four lanes read the same word";
}

} // namespace perfmodel::step_cost_test
