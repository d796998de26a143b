#include "block_runs.hpp"

#include <algorithm>

#include <gtest/gtest.h>

// Counts of instructions are worked by hand from the code.
namespace perfmodel::warp_run_test {

using Masks = std::vector<std::uint32_t>;

TEST(WarpRun, both_sides_of_an_if_are_issued_once) {
  const SeenBlock seen = run_code("S2R R0, SR_LANEID\n"
                                  "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
                                  "BSSY B0, `(.L_join)\n"
                                  "@P0 BRA `(.L_else)\n"
                                  "POPC R1, R0\n"
                                  "BRA `(.L_join)\n"
                                  ".L_else:\n"
                                  "BREV R1, R0\n"
                                  "BREV R1, R0\n"
                                  ".L_join:\n"
                                  "BSYNC B0\n"
                                  "FLO R1, R1\n"
                                  "EXIT\n");
  EXPECT_EQ(seen.masks("POPC"), Masks{0xff});
  EXPECT_EQ(seen.masks("BREV"), (Masks{0xffffff00, 0xffffff00}));
  EXPECT_EQ(seen.masks("FLO"), Masks{all_lanes});            // they have met
  EXPECT_EQ(seen.masks("BSYNC"), (Masks{0xff, 0xffffff00})); // each comes by itself
  EXPECT_EQ(seen.run.instructions, 12u);                     // 4, POPC BRA BSYNC, 2 BREV BSYNC, FLO EXIT
  EXPECT_EQ(seen.list.size(), 12u);
}

TEST(WarpRun, an_if_that_no_lane_takes_is_not_issued) {
  const SeenBlock seen = run_code("S2R R0, SR_CTAID.X\n"
                                  "ISETP.EQ.AND P0, PT, R0, RZ, PT\n"
                                  "@P0 BRA `(.L_end)\n"
                                  "POPC R1, R0\n"
                                  ".L_end:\n"
                                  "EXIT\n");
  EXPECT_EQ(seen.issued("POPC"), 0u);
  EXPECT_TRUE(seen.first("BRA").taken);
  EXPECT_EQ(seen.first("BRA").mask, all_lanes);
}

// Lane n makes n + 1 trips: the warp makes 32, of ever fewer lanes.
constexpr std::string_view triangle = "S2R R0, SR_LANEID\n"
                                      "BSSY B0, `(.L_out)\n"
                                      ".L_loop:\n"
                                      "POPC R2, R0\n"
                                      "IADD3 R0, R0, -0x1, RZ\n"
                                      "ISETP.GE.AND P0, PT, R0, RZ, PT\n"
                                      "@P0 BRA `(.L_loop)\n"
                                      ".L_out:\n"
                                      "BSYNC B0\n"
                                      "FLO R1, R1\n"
                                      "EXIT\n";

TEST(WarpRun, lanes_leave_a_loop_one_after_the_other) {
  const SeenBlock seen = run_code(triangle);
  const Masks masks = seen.masks("POPC");
  ASSERT_EQ(masks.size(), 32u);
  for (std::uint32_t trip = 0; trip < 32; ++trip) EXPECT_EQ(masks[trip], all_lanes << trip);
  EXPECT_EQ(seen.masks("FLO"), Masks{all_lanes});
  // 2, 32 trips of 4; those that left, the smallest counter first, wait together.
  EXPECT_EQ(seen.issued("BRA"), 32u);
}

// while (true) { if (n-- == 0) break; .. }, as nvcc writes it.
TEST(WarpRun, lanes_that_break_are_not_waited_for) {
  const SeenBlock seen = run_code("S2R R0, SR_LANEID\n"
                                  "BSSY B0, `(.L_out)\n"
                                  "ISETP.GE.AND P0, PT, R0, 0x10, PT\n"
                                  "@P0 BREAK B0\n"
                                  "@P0 BRA `(.L_far)\n"
                                  "POPC R2, R0\n"
                                  ".L_out:\n"
                                  "BSYNC B0\n"
                                  "FLO R1, R1\n"
                                  ".L_far:\n"
                                  "BREV R1, R1\n"
                                  "EXIT\n");
  EXPECT_EQ(seen.masks("POPC"), Masks{0xffff});
  EXPECT_EQ(seen.masks("FLO"), Masks{0xffff});
  EXPECT_EQ(seen.masks("BREV"), (Masks{0xffff0000, 0xffff})); // nobody waits for those ahead
}

// Each of two groups that have parted meets its own lanes, where both use the same convergence register. As
// on an H200, where an encoder whose lanes part again and again executes 8.718 million instructions (28
// November 2026, of 1/16 of the launch): by this rule 8.719, but 8.575 if lanes met wherever they come
// together.
TEST(WarpRun, lanes_that_have_parted_meet_where_the_code_says_so_alone) {
  const SeenBlock seen = run_code("S2R R0, SR_LANEID\n"
                                  "ISETP.GE.AND P0, PT, R0, 0x10, PT\n"
                                  "@P0 BRA `(.L_two)\n"
                                  "NOP\n"
                                  ".L_two:\n"
                                  "BSSY B0, `(.L_out)\n"
                                  "LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT\n"
                                  "ISETP.EQ.AND P1, PT, R1, RZ, PT\n"
                                  "@P1 BRA `(.L_out)\n"
                                  "POPC R2, R0\n"
                                  ".L_out:\n"
                                  "BSYNC B0\n"
                                  "BREV R1, R1\n"
                                  "EXIT\n");
  const auto of = [](std::vector<std::uint32_t> masks) {
    std::sort(masks.begin(), masks.end());
    return masks;
  };
  EXPECT_EQ(of(seen.masks("POPC")), (Masks{0xaaaa, 0xaaaa0000}));
  EXPECT_EQ(of(seen.masks("BREV")), (Masks{0xffff, 0xffff0000}));
}

TEST(WarpRun, lanes_that_exit_are_not_waited_for) {
  const SeenBlock seen = run_code("S2R R0, SR_LANEID\n"
                                  "ISETP.GE.AND P0, PT, R0, 0x4, PT\n"
                                  "BSSY B0, `(.L_out)\n"
                                  "@!P0 BRA `(.L_out)\n"
                                  "ISETP.GE.AND P1, PT, R0, 0x8, PT\n"
                                  "@P1 EXIT\n"
                                  "POPC R2, R0\n"
                                  ".L_out:\n"
                                  "BSYNC B0\n"
                                  "BAR.SYNC 0x0\n"
                                  "FLO R1, R1\n"
                                  "EXIT\n");
  EXPECT_EQ(seen.masks("EXIT"), (Masks{0xffffff00, 0xff}));
  EXPECT_EQ(seen.masks("FLO"), Masks{0xff});
}

TEST(WarpRun, threads_beyond_the_block_take_no_part) {
  const SeenBlock seen = run_code("POPC R2, R0\nEXIT\n", {.block = {.x = 40}});
  EXPECT_EQ(seen.masks("POPC"), (Masks{all_lanes, 0xff}));
}

TEST(WarpRun, a_call_returns_to_the_address_in_its_registers) {
  const SeenBlock seen = run_code("S2R R0, SR_LANEID\n"
                                  "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
                                  "@P0 BRA `(.L_second)\n"
                                  "MOV R4, 0x50\n"
                                  "CALL.REL.NOINC `(.L_function)\n"
                                  "ST [R6], RZ\n" // 0x50
                                  "EXIT\n"
                                  ".L_second:\n"
                                  "MOV R4, 0x90\n"
                                  "CALL.REL.NOINC `(.L_function)\n"
                                  "ST [R6+0x100], RZ\n" // 0x90
                                  "EXIT\n"
                                  ".L_function:\n"
                                  "IMAD R6, R0, 0x2, R6\n"
                                  "IMAD.MOV.U32 R6, RZ, RZ, R4\n"
                                  "MOV R5, 0x0\n"
                                  "RET.REL.NODEC R4 0x0\n");
  EXPECT_EQ(stored_at(seen, 0), (std::vector<std::int64_t>{0x50}));
  EXPECT_EQ(stored_at(seen, 8), (std::vector<std::int64_t>{0x190}));
}

TEST(WarpRun, lanes_without_the_guard_do_not_take_a_call) {
  const SeenBlock seen = run_code("S2R R0, SR_LANEID\n"
                                  "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
                                  "MOV R4, 0x40\n"
                                  "@P0 CALL.REL.NOINC `(.L_function)\n"
                                  "EXIT\n"
                                  ".L_function:\n"
                                  "POPC R6, R0\n"
                                  "RET.REL.NODEC R4 0x0\n");
  EXPECT_EQ(seen.masks("POPC"), Masks{0xffffff00});
}

TEST(WarpRun, a_call_to_where_the_listing_does_not_say_is_refused) {
  EXPECT_EQ(error_of([] { run_code("MOV R4, 0x40\nCALL.ABS.NOINC R4\nEXIT\n"); }),
            "line 3: 'CALL.ABS.NOINC R4' calls a function whose address is not in the listing");
}

// As of a switch: the distance from the next instruction on is in a table of constants.
TEST(WarpRun, an_indirect_branch_parts_lanes_by_its_register) {
  const SeenBlock seen = run_listing("Function : f\n"
                                     "// constant2: 500000006000000070000000\n"
                                     "/*0000*/ S2R R0, SR_LANEID ;\n"
                                     "/*0010*/ VIMNMX.U32 R0, R0, 0x2, PT ;\n"
                                     "/*0020*/ IMAD.SHL.U32 R2, R0, 0x4, RZ ;\n"
                                     "/*0030*/ LDC R2, c[0x2][R2] ;\n"
                                     "/*0040*/ BRX R2 -0x50 ;\n"
                                     "/*0050*/ POPC R1, R0 ;\n"
                                     "/*0060*/ BREV R1, R0 ;\n"
                                     "/*0070*/ FLO R1, R0 ;\n"
                                     "/*0080*/ EXIT ;\n",
                                     "f");
  EXPECT_EQ(seen.masks("POPC"), Masks{1});
  EXPECT_EQ(seen.masks("BREV"), (Masks{1, 2}));
  EXPECT_EQ(seen.masks("FLO"), (Masks{1, 2, ~3U}));
}

TEST(WarpRun, a_branch_with_two_predicates_asks_for_both) {
  const SeenBlock seen = run_code("S2R R0, SR_LANEID\n"
                                  "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
                                  "ISETP.LT.AND P1, PT, R0, 0x10, PT\n"
                                  "@P0 BRA P1, `(.L_far)\n"
                                  "POPC R2, R0\n"
                                  ".L_far:\n"
                                  "EXIT\n");
  EXPECT_EQ(seen.masks("POPC"), Masks{0xffff00ff});
}

TEST(WarpRun, warpsync_waits_for_the_lanes_of_its_mask) {
  const SeenBlock seen = run_code("S2R R0, SR_LANEID\n"
                                  "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
                                  "@P0 BRA `(.L_join)\n"
                                  "POPC R2, R0\n"
                                  ".L_join:\n"
                                  "WARPSYNC 0xffffffff\n"
                                  "FLO R1, R0\n"
                                  "EXIT\n");
  EXPECT_EQ(seen.masks("FLO"), Masks{all_lanes});
}

TEST(WarpRun, an_opcode_that_is_not_known_is_refused_by_line) {
  EXPECT_EQ(error_of([] { run_code("NOP\nFROB R0, R1\nEXIT\n"); }),
            "line 3: 'FROB R0, R1': what FROB does is not known");
  EXPECT_EQ(error_of([] { run_code("NOP\nFADD.WARP9 R0, R1, R2\nEXIT\n"); }),
            "line 3: 'FADD.WARP9 R0, R1, R2': modifier 'WARP9' is not known");
}

// What a failed assertion would print, behind the end of the kernel or where no lane goes.
TEST(WarpRun, an_opcode_that_is_not_known_does_not_matter_where_no_lane_executes_it) {
  EXPECT_EQ(error_of([] { run_code("@!PT FROB R0, R1\nEXIT\nLEPC R20, 0x10\nFADD.WARP9 R0, R1, R2\n"); }),
            "no error");
}

TEST(WarpRun, a_branch_to_where_no_instruction_is_is_refused) {
  EXPECT_EQ(error_of([] { run_code("BRA 0x18\nEXIT\n"); }), "line 2: 'BRA 0x18': no instruction is at 0x18");
}

TEST(WarpRun, blocks_have_their_place_in_the_grid) {
  const SeenBlock seen = run_code("S2R R0, SR_CTAID.X\nS2R R1, SR_CTAID.Y\nS2R R2, SR_CTAID.Z\nST [R0], RZ\n"
                                  "ST [R1], RZ\nST [R2], RZ\nEXIT\n",
                                  {.grid = {.x = 5, .y = 3, .z = 2}, .linear = 23});
  EXPECT_EQ(stored_at(seen), (std::vector<std::int64_t>{3, 1, 1}));
}

// The array has 64 bytes: half of the words of the first warp, none of the second's.
TEST(WarpRun, accesses_outside_of_all_arrays_are_counted) {
  constexpr std::string_view code = "S2R R0, SR_TID.X\n"
                                    "IMAD.WIDE.U32 R2, R0, 0x4, c[0x0][0x210]\n"
                                    "LDG.E R4, [R2.64]\n"
                                    "EXIT\n";
  EXPECT_EQ(run_code(code, {.block = {64}, .arguments = "in=64B"}).run.outside, 2u);
  EXPECT_EQ(run_code(code, {.block = {64}, .arguments = "in=128B"}).run.outside, 1u);
  EXPECT_EQ(run_code(code, {.block = {64}, .arguments = "in=256B"}).run.outside, 0u);
}

} // namespace perfmodel::warp_run_test
