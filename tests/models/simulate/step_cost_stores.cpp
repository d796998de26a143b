// Stores to global memory: what L2 takes for lines and sectors, and which go with others.
#include "costed_code.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perfmodel::step_cost_test {

void set_stores(KernelCosts& c) {
  c.sm.store_cycles = 0.5;
  c.bytes_per_line = 16;
  c.bytes_per_line_in_part = 45, c.bytes_per_sector_in_part = 25;
}

// A warp's store of that many bytes a lane, lanes so far apart: cycles of L2.
double stored(const std::string& opcode, int apart, int offset = 0) {
  return costs_of_code("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, " +
                           std::to_string(apart) + ", R2\n" + opcode + " desc[UR4][R2.64+" +
                           std::to_string(offset) + "], R8\nEXIT",
                       false, 0, 32, 0, set_stores)
      .steps[6]
      .uses[2]
      .cycles;
}

// 128 bytes from a word behind a sector's start on: five sectors of two lines, of which the first and the
// last are written in part.
TEST(StepCostStores, sectors_that_are_written_in_part_take_l2_longer) {
  EXPECT_DOUBLE_EQ(stored("STG.E", 4), 0.5 * 128);
  EXPECT_DOUBLE_EQ(stored("STG.E", 4, 4), 0.5 * (3 * 32 + 2 * 45 + 2 * 25));
}

// Words, each alone in its sector, one and four of a line; whole sectors, two of a line.
TEST(StepCostStores, lines_that_are_not_stored_as_a_whole_are_looked_for) {
  EXPECT_DOUBLE_EQ(stored("STG.E", 128), 0.5 * 32 * (45 + 25));
  EXPECT_DOUBLE_EQ(stored("STG.E", 32), 0.5 * (8 * 45 + 32 * 25));
  EXPECT_DOUBLE_EQ(stored("STG.E.128", 16), 0.5 * 512) << "whole lines";
  EXPECT_DOUBLE_EQ(stored("STG.E.128", 128), 0.5 * 32 * (45 + 25)) << "a half of each sector";
}

// Two warps of a block, of which each stores every other word of the same two lines: the first opens them,
// and the second finds them open if the SM keeps that many. Of two warps with lines of their own neither
// does.
TEST(StepCostStores, lines_that_warps_of_a_block_fill_together_go_to_l2_once) {
  const auto cycles = [](std::size_t warp, void (*change)(KernelCosts&), const std::string& index) {
    const TracedBlocks made = costs_of_code("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\n"
                                            "LOP3.LUT R6, R0, 0x1f, RZ, 0xc0, !PT\n"
                                            "SHF.R.U32.HI R7, RZ, 0x5, R0\n" +
                                                index +
                                                "\nIMAD.WIDE R2, R6, 0x4, R2\n"
                                                "STG.E desc[UR4][R2.64], R5\nEXIT",
                                            false, 0, 64, 0, change);
    return made.steps[made.programs[made.blocks[0][warp]][6]].uses[2].cycles;
  };
  const auto eight = [](KernelCosts& c) { set_stores(c), c.sm.machine.open_lines = 8; };
  const auto one = [](KernelCosts& c) { set_stores(c), c.sm.machine.open_lines = 1; };
  const std::string together = "LEA R6, R6, R7, 0x1", apart = "IMAD.SHL.U32 R6, R0, 0x2, RZ";
  EXPECT_DOUBLE_EQ(cycles(0, eight, together), 0.5 * 8 * 32) << "eight sectors, which others fill";
  EXPECT_DOUBLE_EQ(cycles(1, eight, together), 0);
  EXPECT_GT(cycles(1, one, together), 0.5 * 8 * 32) << "two lines lie between";
  EXPECT_DOUBLE_EQ(cycles(1, eight, apart), 0.5 * (2 * 45 + 8 * 25));
}

// Of a block of so many threads, on an SM that keeps twelve lines open: cycles of L2 for each warp's step at
// a place of its list. R6: its lane, R7: its number.
std::vector<double> stored_by_warps(std::int64_t threads, const std::string& code, std::size_t place) {
  const TracedBlocks made = costs_of_code(
      "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nLOP3.LUT R6, R0, 0x1f, RZ, 0xc0, !PT\n"
      "SHF.R.U32.HI R7, RZ, 0x5, R0\n" +
          code,
      false, 0, threads, 0, [](KernelCosts& c) { set_stores(c), c.sm.machine.open_lines = 12; });
  std::vector<double> cycles;
  for (const std::size_t program : made.blocks[0])
    cycles.push_back(made.steps[made.programs[program][place]].uses[2].cycles);
  return cycles;
}

// Two warps store every other sector of the same two lines, whole sectors each: nothing that the first has
// stored is stored by the second.
TEST(StepCostStores, sectors_that_no_other_store_has_touched_go_to_l2) {
  const std::vector<double> cycles = stored_by_warps(
      64,
      "SHF.R.U32.HI R8, RZ, 0x3, R6\nLOP3.LUT R9, R6, 0x7, RZ, 0xc0, !PT\nIMAD R9, R8, 0x10, R9\n"
      "IMAD R9, R7, 0x8, R9\nIMAD.WIDE R2, R9, 0x4, R2\nSTG.E desc[UR4][R2.64], R5\nEXIT",
      9);
  EXPECT_EQ(cycles, (std::vector<double>{0.5 * (4 * 32 + 2 * 16), 0.5 * (4 * 32 + 2 * 16)}));
}

// Each warp stores twice, every eighth word of eight lines and of eight others. Four warps do so at the same
// time; when the fifth comes, sixteen lines have been opened since the first did. The words of all five leave
// sectors in part.
TEST(StepCostStores, warps_of_a_later_turn_find_the_lines_closed) {
  const std::vector<double> cycles =
      stored_by_warps(160,
                      "IMAD R6, R6, 0x8, R7\nIMAD.WIDE R2, R6, 0x4, R2\nSTG.E desc[UR4][R2.64], R5\n"
                      "STG.E desc[UR4][R2.64+0x1000], R5\nEXIT",
                      6);
  ASSERT_EQ(cycles.size(), 5u);
  EXPECT_DOUBLE_EQ(cycles[0], 0.5 * (8 * 45 + 32 * 25));
  for (const std::size_t warp : {1u, 2u, 3u}) EXPECT_EQ(cycles[warp], 0) << warp;
  EXPECT_DOUBLE_EQ(cycles[4], cycles[0]);
}

// Two trips, each to other lines: in the second the warps do not come at the same time.
TEST(StepCostStores, warps_of_a_loop_do_not_fill_lines_together) {
  const std::string loop = "LEA R6, R6, R7, 0x1\nIMAD.WIDE R2, R6, 0x4, R2\nIMAD.MOV.U32 R8, RZ, RZ, RZ\n"
                           "STG.E desc[UR4][R2.64], R5\nIADD3 R2, R2, 0x1000, RZ\nIADD3 R8, R8, 0x1, RZ\n"
                           "ISETP.NE.AND P0, PT, R8, 0x2, PT\n@P0 BRA 0x70\nEXIT";
  EXPECT_EQ(stored_by_warps(64, loop, 7), (std::vector<double>{0.5 * 8 * 32, 0}));
  EXPECT_EQ(stored_by_warps(64, loop, 12),
            (std::vector<double>{0.5 * (2 * 45 + 8 * 25), 0.5 * (2 * 45 + 8 * 25)}));
}

// Each lane stores two words side by side, one after the other: the second comes to lines that the first has
// opened, and device memory is busy with these once.
TEST(StepCostStores, a_line_that_two_stores_fill_is_written_to_device_memory_once) {
  const TracedBlocks made = costs_of_code(
      "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, 0x8, R2\n"
      "STG.E desc[UR4][R2.64], R5\nSTG.E desc[UR4][R2.64+0x4], R5\nEXIT",
      false, 0, 32, 0, [](KernelCosts& c) { c.sm.write_cycles = 1; }, 1, true);
  EXPECT_DOUBLE_EQ(made.steps[6].uses[3].cycles, 8 * 32) << "sectors of two lines";
  EXPECT_DOUBLE_EQ(made.steps[8].uses[3].cycles, 8 * 32) << "the same, that another follows";
  EXPECT_DOUBLE_EQ(made.steps[10].uses[3].cycles, 0);
}

// Two words of structs of two words fill their sectors; of structs of four they fill half of each, and the
// first store takes L2 as long as if no other followed.
TEST(StepCostStores, only_sectors_that_are_filled_go_as_whole_ones) {
  const auto first = [](const std::string& apart) {
    const TracedBlocks made =
        costs_of_code("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, " + apart +
                          ", R2\nSTG.E desc[UR4][R2.64], R5\nSTG.E desc[UR4][R2.64+0x4], R5\nEXIT",
                      false, 0, 32, 0, set_stores);
    return made.steps[made.programs[made.blocks[0][0]][3]].uses[2].cycles;
  };
  EXPECT_DOUBLE_EQ(first("0x8"), 0.5 * 8 * 32);
  EXPECT_DOUBLE_EQ(first("0x10"), 0.5 * (4 * 45 + 16 * 25));
}

// Words of structs of seven: most sectors of the second word's store have been opened by the first's. Until
// something has been loaded in between others have stored, and the lines are gone.
TEST(StepCostStores, a_store_goes_with_the_one_before_unless_a_load_comes_between) {
  const auto back = [](const std::string& between, std::size_t place) {
    const TracedBlocks made =
        costs_of_code("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, 0x1c, R2\n"
                      "STG.E desc[UR4][R2.64], R5\n" +
                          between + "STG.E desc[UR4][R2.64+0x4], R5\nEXIT",
                      false, 0, 32, 0, set_stores);
    return made.steps[made.programs[made.blocks[0][0]][place]].opened_back;
  };
  EXPECT_EQ(back("", 4), 1);
  EXPECT_EQ(back("LDG.E R6, desc[UR4][R2.64+0x8]\n", 5), 0);
}

// Beside stores of parts of lines each line that a load asks for takes a turn of what stores go through, no
// longer than L2 takes for it.
TEST(StepCostStores, loads_take_turns_with_stores_of_parts_of_lines) {
  const auto load = [](const std::string& apart, void (*change)(KernelCosts&)) {
    return costs_of_code("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, " + apart +
                             ", R2\nLDG.E R5, desc[UR4][R2.64]\nEXIT",
                         false, 0, 32, 0, change)
        .steps[6];
  };
  const auto in_turn = [](KernelCosts& c) {
    c.request_cycles = 7, c.sm.stores_to_l2 = 5, c.sm.l2_cycles = 1;
  };
  const auto quick = [](KernelCosts& c) { c.request_cycles = 7, c.sm.l2_cycles = 1.0 / 64; };
  const WarpStep row = load("0x4", in_turn), column = load("0x80", in_turn);
  ASSERT_EQ(row.used, 5);
  EXPECT_EQ(row.uses[4].unit, 5u);
  EXPECT_DOUBLE_EQ(row.uses[4].cycles, 7);
  EXPECT_DOUBLE_EQ(column.uses[4].cycles, 32 * 7);
  EXPECT_DOUBLE_EQ(load("0x4", quick).uses[4].cycles, 2) << "128 bytes";
  EXPECT_EQ(load("0x4", nullptr).used, 4) << "beside whole lines it does not";
}

// A word of each lane is a line, four words are four; where L1 writes back, it keeps them. (An H200, 29
// November 2026: for five kernels that store words to local memory L1 sends as many sectors to L2 as they
// store to local and to global memory together, though all but a few are found in L1.)
TEST(StepCostStores, to_local_memory_go_on_to_l2) {
  const auto stored_local = [](const std::string& opcode, void (*change)(KernelCosts&)) {
    return costs_of_code(opcode + " [R1], R4\nEXIT", false, 0, 32, 0, change).steps[0];
  };
  const auto through = [](KernelCosts& c) { set_stores(c), c.local_goes_on = true, c.line_store = 100; };
  const WarpStep word = stored_local("STL", through), four = stored_local("STL.128", through);
  EXPECT_DOUBLE_EQ(word.uses[2].cycles, 100) << "of the SM's path; L2 takes 64";
  EXPECT_DOUBLE_EQ(four.uses[2].cycles, 400);
  EXPECT_EQ(four.lines, 4);
  EXPECT_TRUE(word.store);
  EXPECT_TRUE(stored_local("STL", set_stores).cached);
}

} // namespace perfmodel::step_cost_test
