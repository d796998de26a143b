#include "models/simulate/step_cost.hpp"

#include "tests/models/kernel/one_warp.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace perfmodel::step_cost_test {

// Steps of one warp of `code` on a machine whose costs are small numbers.
TracedBlocks costs_of_code(std::string_view code, bool by_registers = false, double missing = 0,
                           std::int64_t threads = 32, double stored_lines = 0,
                           void (*change)(KernelCosts&) = nullptr, double together = 1, bool writes = false) {
  const KernelCode read = read_listing(listing_of(code), "");
  KernelLaunch launch{.grid = {1, 1, 1}, .block = {threads, 1, 1}, .arguments = {}};
  launch.arguments = KernelArguments::from_text("in=1MiB,out=1MiB");
  AccessRules rules;
  rules.load = rules.store = {.l1 = true};
  rules.store.l1 = false;
  rules.l1_bytes = 65536;
  rules.l2_bytes = 1024;
  rules.by_registers = by_registers;
  BlockTracer tracer(read, launch, rules, {});
  const BlockTrace trace = tracer.trace(0);
  KernelCosts costs;
  costs.constants = 3;
  costs.constant_per_word = 2;
  costs.sm.constant_latency = 28;
  costs.sm.predicate_latency = 13;
  costs.sm.dram_latency = 600;
  costs.dram_tail = 100;
  costs.bytes_per_gather = 64; // L2 takes as long for a sector as for two
  costs.sm.fill_cycles = 0.5 / 128;
  costs.sm.counter_cycles = 10;
  costs.float_counter = 24;
  if (change != nullptr) change(costs);
  return costed(costs, read, tracer.steps(), {&trace},
                {.missing = std::vector<double>(3, missing),
                 .fetched = std::vector<double>(3, missing),
                 .far = std::vector<double>(3),
                 .load_bytes = std::vector<double>(3, 1.0),
                 .store_bytes = std::vector<double>(3, 1.0),
                 .stored_lines = std::vector<double>(3, stored_lines),
                 .together = std::vector<double>(3, together),
                 .writes = writes},
                by_registers, 1);
}

// LDC asks the constant cache that all schedulers of an SM share; what ULDC reads for all lanes comes, as
// operands do, from the immediate constant cache (IMC, by the name of the profiler's stall). On an H200 a
// kernel with nine words of the first and eight of the second kind runs at 20 cycles a warp, where 17 words
// would take 34.
TEST(StepCost, a_constant_for_all_lanes_takes_no_turn_of_the_constant_cache) {
  const TracedBlocks made = costs_of_code("LDC.64 R2, c[0x0][0x210]\nULDC.64 UR4, c[0x0][0x208]\nEXIT");
  const WarpStep &by_lanes = made.steps[0], &for_all = made.steps[2]; // each step stands there twice
  ASSERT_EQ(by_lanes.used, 1);
  EXPECT_EQ(by_lanes.uses[0].unit, 3u);
  EXPECT_EQ(by_lanes.uses[0].cycles, 4); // two words
  EXPECT_EQ(for_all.used, 0);
  EXPECT_EQ(for_all.latency, 28);
}

TEST(StepCost, a_warp_sleeps_for_as_long_as_it_says) {
  const TracedBlocks made = costs_of_code("NANOSLEEP 0x32\nEXIT", false, 0, 32, 0,
                                          [](KernelCosts& costs) { costs.sm.clock.value = 2e9; });
  EXPECT_DOUBLE_EQ(made.steps[0].stall, 100) << "50 ns at 2 GHz";
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

// One word that all lanes add to: on an H100 0.74 ns for each addition of integers, 1.76 of floats.
TEST(StepCost, additions_of_floats_to_one_word_take_longer_than_those_of_integers) {
  const auto cycles = [](std::string_view type) {
    const TracedBlocks made = costs_of_code("LDC.64 R2, c[0x0][0x210]\nREDG.E.ADD" + std::string(type) +
                                            ".STRONG.GPU desc[UR4][R2.64], R5\nEXIT");
    return made.steps[2].uses[3].cycles;
  };
  EXPECT_EQ(cycles(""), 32 * 10);
  EXPECT_EQ(cycles(".F32.FTZ.RN"), 32 * 24);
  EXPECT_EQ(cycles(".F64.RN"), 32 * 24);
}

// On an H200 48 384 warps that each add to one line of integers take 119 us, to eight lines side by side 59
// us, to 32 words of as many lines no longer than their slices do (HeCBench's atomicPerf, 27 November 2026).
TEST(StepCost, lines_of_one_slice_of_l2_are_added_to_one_after_the_other) {
  const auto cycles = [](double lines) {
    return costs_of_code("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, 0x4, R2\n"
                         "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5\nEXIT",
                         false, 0, 32, lines, [](KernelCosts& c) { c.atomic.kib = 40; })
        .steps[6]
        .uses[3]
        .cycles;
  };
  EXPECT_DOUBLE_EQ(cycles(8), 4 * 40) << "four sectors at the rate of a KiB, which has eight lines";
  EXPECT_DOUBLE_EQ(cycles(1), 2 * cycles(8));
  EXPECT_DOUBLE_EQ(cycles(4), cycles(1)) << "512 bytes";
  EXPECT_DOUBLE_EQ(cycles(32), cycles(8) / 4);
}

// A sector holds four doubles, and L2 takes two cycles to add to them; one in each takes as long as an
// integer.
TEST(StepCost, atomic_operations_of_l2_have_rates_by_what_they_do) {
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
TEST(StepCost, an_atomic_operation_takes_a_turn_of_a_sector_for_each_lane_of_a_word) {
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
}

// Loads of a warp, 128 bytes of each: what four SMs ask for together L2 sends once, at the rate of the links
// at most; what is copied into shared memory passes the banks once.
TEST(StepCost, lines_that_sms_ask_for_together_take_l2_less_time) {
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

// Each lane stores two words side by side, one after the other: the second comes to lines that the first has
// opened, and device memory is busy with these once.
TEST(StepCost, a_line_that_two_stores_fill_is_written_to_device_memory_once) {
  const TracedBlocks made = costs_of_code(
      "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, 0x8, R2\n"
      "STG.E desc[UR4][R2.64], R5\nSTG.E desc[UR4][R2.64+0x4], R5\nEXIT",
      false, 0, 32, 0, [](KernelCosts& c) { c.sm.write_cycles = 1; }, 1, true);
  EXPECT_DOUBLE_EQ(made.steps[6].uses[3].cycles, 8 * 32) << "sectors of two lines";
  EXPECT_DOUBLE_EQ(made.steps[8].uses[3].cycles, 8 * 32) << "the same, that another follows";
  EXPECT_DOUBLE_EQ(made.steps[10].uses[3].cycles, 0);
}

void with_wavefronts(KernelCosts& costs) {
  costs.sm.wavefront = 2;
  costs.tensor_flops = 1024;
  costs.mma_fp16 = 512;
  costs.mma_tf32 = 256;
  costs.mma_int8 = 1024;
  costs.mma_latency = 20;
}

// 16 x 8 x 16 products of halves are 4096 flop; of the other types as many bytes of a row. A chain goes on
// after 20 cycles, of which the unit works for 8 of halves.
TEST(StepCost, products_of_a_warp_have_rates_by_what_they_multiply) {
  const auto step = [](const std::string& opcode) {
    return costs_of_code(opcode + " R4, R8, R12, R4\nEXIT", false, 0, 32, 0, with_wavefronts).steps[0];
  };
  const WarpStep halves = step("HMMA.16816.F32");
  EXPECT_DOUBLE_EQ(halves.uses[0].cycles, 8);
  EXPECT_DOUBLE_EQ(halves.latency, 20);
  EXPECT_DOUBLE_EQ(step("HMMA.1688.F32.TF32").uses[0].cycles, 8);
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

// Of each load of a warp two steps are listed, found in L2 and not; the second load finds what the first
// brought.
TEST(StepCost, what_the_block_has_had_does_not_come_from_device_memory_again) {
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
TEST(StepCost, a_gather_waits_for_the_slowest_of_its_places_in_device_memory) {
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
TEST(StepCost, loads_of_a_block_come_by_chance_together_where_they_lie_in_a_row) {
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
TEST(StepCost, loads_of_a_warp_come_by_chance_together_where_they_lie_in_a_row) {
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

// On an H100 loads of a sector of each of four lines take 4.1 cycles of an SM, those of one whole line 1.55.
TEST(StepCost, what_comes_from_l2_fills_l1_while_further_lines_are_looked_for) {
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

} // namespace perfmodel::step_cost_test
