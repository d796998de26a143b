#include "block_runs.hpp"

#include <gtest/gtest.h>

#include <chrono>

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
  EXPECT_EQ(seen.masks("FLO"), Masks{all_lanes}); // they have met
  EXPECT_EQ(seen.masks("BSYNC"), Masks{all_lanes});
  EXPECT_EQ(seen.run.instructions, 11u); // 4, POPC BRA, 2 BREV, BSYNC FLO EXIT
  EXPECT_EQ(seen.list.size(), 11u);
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
  EXPECT_EQ(seen.masks("BREV"), Masks{all_lanes}); // those ahead were waited for by nobody, yet met
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
  EXPECT_EQ(seen.masks("BREV"), Masks{3});
  EXPECT_EQ(seen.masks("FLO"), Masks{all_lanes});
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

// What warp 0 stores in front of the barrier, warp 1 loads behind it.
TEST(WarpRun, a_barrier_keeps_warps_in_step) {
  const SeenBlock seen = run_code("S2R R0, SR_TID.X\n"
                                  "IMAD.SHL.U32 R2, R0, 0x4, RZ\n"
                                  "LOP3.LUT R3, R2, 0x1fc, RZ, 0x3c, !PT\n" // of the thread 127 - n
                                  "STS [R2], R0\n"
                                  "BAR.SYNC.DEFER_BLOCKING 0x0\n"
                                  "LDS R4, [R3]\n"
                                  "ST [R4], RZ\n"
                                  "EXIT\n",
                                  {.block = {.x = 128}});
  ASSERT_EQ(seen.issued("ST"), 4u);
  for (const Seen& s : seen.list)
    if (s.opcode == "ST") {
      EXPECT_EQ(s.access.known, all_lanes);
      for (std::size_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(s.access.address[lane], 127 - static_cast<std::int64_t>(32 * s.warp + lane));
    }
}

TEST(WarpRun, lanes_without_the_guard_do_not_wait_at_a_barrier) {
  const SeenBlock seen = run_code("S2R R0, SR_LANEID\n"
                                  "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
                                  "@P0 BAR.SYNC 0x0\n"
                                  "@!P0 POPC R1, R0\n"
                                  "@!P0 EXIT\n"
                                  "FLO R1, R0\n"
                                  "EXIT\n");
  EXPECT_EQ(seen.masks("POPC"), (Masks{0xff, 0}));
  EXPECT_EQ(seen.masks("FLO"), Masks{0xffffff00});
}

// __syncthreads_or: nvcc 13.0 for sm_90.
TEST(WarpRun, what_a_barrier_votes_is_not_known) {
  const SeenBlock seen = run_code("PLOP3.LUT P1, PT, PT, PT, PT, 0x80, 0x0\n"
                                  "BAR.RED.OR.DEFER_BLOCKING 0x0, P1\n"
                                  "P2R R4, PR, RZ, 0x2\n"
                                  "ST [R4], RZ\n"
                                  "B2R.RESULT RZ, P1\n"
                                  "P2R R4, PR, RZ, 0x2\n"
                                  "ST [R4], RZ\n"
                                  "EXIT\n");
  EXPECT_EQ(stored_at(seen), std::vector<std::int64_t>{2});
}

TEST(WarpRun, warps_that_have_ended_are_not_waited_for) {
  const SeenBlock seen = run_code("S2R R0, SR_TID.X\n"
                                  "ISETP.GE.AND P0, PT, R0, 0x20, PT\n"
                                  "@P0 EXIT\n"
                                  "BAR.SYNC 0x0\n"
                                  "POPC R1, R0\n"
                                  "EXIT\n",
                                  {.block = {.x = 96}});
  EXPECT_EQ(seen.issued("POPC"), 1u);
}

constexpr std::string_view producer = "S2R R0, SR_TID.X\n"
                                      "ISETP.GE.AND P0, PT, R0, 0x20, PT\n"
                                      "@P0 BRA `(.L_producer)\n"
                                      "BAR.SYNC 0x1, 0x40\n"
                                      "POPC R1, R0\n"
                                      "BAR.SYNC 0x1, 0x40\n"
                                      "POPC R1, R0\n"
                                      "EXIT\n"
                                      ".L_producer:\n"
                                      "BAR.ARV 0x1, 0x40\n";

TEST(WarpRun, who_arrives_at_a_barrier_need_not_wait) {
  const SeenBlock seen =
      run_code(std::string(producer) + "BAR.SYNC 0x2, 0x20\nBAR.ARV 0x1, 0x40\nEXIT\n", {.block = {.x = 64}});
  EXPECT_EQ(seen.issued("POPC"), 2u);
}

TEST(WarpRun, an_arrival_counts_for_one_barrier) {
  EXPECT_EQ(
      error_of([] { run_code(std::string(producer) + "BAR.SYNC 0x3, 0x40\nEXIT\n", {.block = {.x = 64}}); }),
      "the warps of a block wait for one another for ever: some wait at a barrier that others never reach");
}

TEST(WarpRun, warps_at_different_barriers_wait_for_ever) {
  EXPECT_EQ(
      error_of([] {
        run_code("S2R R0, SR_TID.X\n"
                 "SHF.R.U32.HI R0, RZ, 0x5, R0\n"
                 "BAR.SYNC R0\n"
                 "EXIT\n",
                 {.block = {.x = 64}});
      }),
      "the warps of a block wait for one another for ever: some wait at a barrier that others never reach");
}

TEST(WarpRun, lanes_that_wait_for_one_another_for_ever_are_refused) {
  EXPECT_EQ(error_of([] {
              run_code("S2R R0, SR_LANEID\n"
                       "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
                       "BSSY B0, `(.L_a)\n"
                       "@P0 BRA `(.L_b)\n"
                       ".L_a:\n"
                       "BSYNC B0\n"
                       "EXIT\n"
                       ".L_b:\n"
                       "WARPSYNC 0xffffffff\n"
                       "EXIT\n");
            }).substr(0, 48),
            "lanes of a warp wait for one another for ever at");
}

TEST(WarpRun, an_endless_loop_is_refused_within_seconds) {
  const auto start = std::chrono::steady_clock::now();
  const KernelCode code = read_listing(listing_of("NOP\n.L_x:\nNOP\nBRA `(.L_x)\n"), "");
  const KernelLaunch launch{.block = {.x = 256}};
  EXPECT_EQ(error_of([&] { KernelRunner(code, launch).run(0, {}, [](const Executed&) {}); }),
            "a block runs for more than 10000000 instructions; line 5 is one of its loop");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(WarpRun, who_asks_may_have_less_patience) {
  const KernelCode code = read_listing(listing_of(".L_x:\nBRA `(.L_x)\n"), "");
  const KernelLaunch launch{.block = {.x = 32}};
  EXPECT_EQ(error_of([&] {
              KernelRunner(code, launch)
                  .run(
                      0, {}, [](const Executed&) {}, 100);
            }),
            "a block runs for more than 100 instructions; line 3 is one of its loop");
}

TEST(WarpRun, code_that_does_not_end_in_exit_is_refused) {
  EXPECT_EQ(error_of([] { run_code("NOP\n"); }), "the code runs past its last instruction");
}

constexpr std::string_view by_data = "LDG.E R0, desc[UR4][R2.64]\n"
                                     "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
                                     "@P0 BRA `(.L_end)\n"
                                     "POPC R1, R0\n"
                                     ".L_end:\n"
                                     "EXIT\n";

TEST(WarpRun, a_branch_on_loaded_data_is_refused_by_line) {
  EXPECT_EQ(error_of([] { run_code(by_data); }),
            "line 4: '@P0 BRA `(.L_end)' goes by data that is loaded: whether it is taken is not known; "
            "--unknown taken, skipped or coin says so");
}

TEST(WarpRun, a_branch_on_loaded_data_goes_as_the_caller_says) {
  const SeenBlock taken = run_code(by_data, {.unknown = Unknown::taken}),
                  skipped = run_code(by_data, {.unknown = Unknown::skipped});
  EXPECT_EQ(taken.issued("POPC"), 0u);
  EXPECT_EQ(skipped.issued("POPC"), 1u);
  EXPECT_EQ(taken.run.assumed, 1u);
  EXPECT_EQ(skipped.run.assumed, 1u);
  EXPECT_EQ(skipped.run.slow_paths, 0u);
}

TEST(WarpRun, by_a_coin_some_lanes_take_a_branch_and_some_do_not_each_time_the_same) {
  const SeenBlock once = run_code(by_data, {.unknown = Unknown::coin});
  ASSERT_EQ(once.issued("POPC"), 1u);
  const std::uint32_t stayed = once.first("POPC").mask;
  EXPECT_GT(std::popcount(stayed), 4);
  EXPECT_LT(std::popcount(stayed), 28);
  EXPECT_EQ(once.run.tossed, 1u);
  EXPECT_EQ(run_code(by_data, {.unknown = Unknown::coin}).first("POPC").mask, stayed);
}

// LaneWords that are known to go their way do so whatever is said of the others.
TEST(WarpRun, known_lanes_of_a_branch_on_loaded_data_go_their_way) {
  constexpr std::string_view code = "S2R R4, SR_LANEID\n"
                                    "LDG.E R0, desc[UR4][R2.64]\n"
                                    "ISETP.GE.AND P1, PT, R4, 0x8, PT\n"
                                    "ISETP.GE.AND P0, PT, R0, 0x8, P1\n"
                                    "@P0 BRA `(.L_end)\n"
                                    "POPC R1, R0\n"
                                    ".L_end:\n"
                                    "EXIT\n";
  EXPECT_EQ(run_code(code, {.unknown = Unknown::taken}).masks("POPC"), Masks{0xff});
  EXPECT_EQ(run_code(code, {.unknown = Unknown::skipped}).masks("POPC"), Masks{all_lanes});
}

TEST(WarpRun, an_exit_on_loaded_data_is_refused_or_goes_as_the_caller_says) {
  constexpr std::string_view code = "LDG.E R0, desc[UR4][R2.64]\n"
                                    "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
                                    "@P0 EXIT\n"
                                    "POPC R1, R0\n"
                                    "EXIT\n";
  EXPECT_EQ(error_of([&] { run_code(code); }), "line 4: '@P0 EXIT' goes by data that is loaded: --unknown "
                                               "taken, skipped or coin says whether its lanes "
                                               "leave");
  EXPECT_EQ(run_code(code, {.unknown = Unknown::taken}).issued("POPC"), 0u);
  EXPECT_EQ(run_code(code, {.unknown = Unknown::skipped}).issued("POPC"), 1u);
}

// Written after nvcc's 1.0f / x: a range check of the exponent, the fast way, else a call.
TEST(WarpRun, a_slow_path_is_not_taken_on_loaded_data) {
  constexpr std::string_view code = "LDG.E R0, desc[UR4][R2.64]\n"
                                    "IADD3 R1, R0, 0x1800000, RZ\n"
                                    "LOP3.LUT R1, R1, 0x7f800000, RZ, 0xc0, !PT\n"
                                    "ISETP.GT.U32.AND P0, PT, R1, 0x1ffffff, PT\n"
                                    "@P0 BRA `(.L_fast)\n"
                                    "MOV R4, 0x70\n"
                                    "CALL.REL.NOINC `(.L_slow)\n"
                                    "BRA `(.L_end)\n"
                                    ".L_fast:\n"
                                    "MUFU.RCP R3, R0\n"
                                    ".L_end:\n"
                                    "EXIT\n"
                                    ".L_slow:\n"
                                    "MOV R5, 0x0\n"
                                    "RET.REL.NODEC R4 0x0\n";
  const SeenBlock seen = run_code(code);
  EXPECT_EQ(seen.issued("MUFU"), 1u);
  EXPECT_EQ(seen.issued("CALL"), 0u);
  EXPECT_EQ(seen.run.slow_paths, 1u);
  EXPECT_EQ(seen.run.assumed, 0u);
}

TEST(WarpRun, what_a_guard_on_loaded_data_writes_is_not_known) {
  const SeenBlock seen = run_code("LDG.E R0, desc[UR4][R2.64]\n"
                                  "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
                                  "MOV R4, 0x10\n"
                                  "MOV R5, 0x20\n"
                                  "@P0 MOV R4, 0x20\n"
                                  "ST [R4], RZ\n"
                                  "ST [R5], RZ\n"
                                  "EXIT\n");
  EXPECT_EQ(stored_at(seen), std::vector<std::int64_t>{0x20});
  EXPECT_EQ(seen.run.unknown_guards, 1u);
  EXPECT_EQ(seen.first("ST").access.known, 0u);
}

TEST(WarpRun, predicates_that_a_guard_on_loaded_data_writes_are_not_known) {
  const SeenBlock seen = run_code("LDG.E R0, desc[UR4][R2.64]\n"
                                  "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
                                  "MOV R5, 0x2\n"
                                  "PLOP3.LUT P1, PT, PT, PT, PT, 0x80, 0x0\n"
                                  "@P0 R2P PR, RZ, 0x2\n"
                                  "P2R R4, PR, RZ, 0x2\n"
                                  "ST [R4], RZ\n"
                                  "EXIT\n");
  EXPECT_EQ(seen.first("ST").access.known, 0u);
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
