#include "block_runs.hpp"

#include <gtest/gtest.h>

// Where a warp goes by data that was loaded.
namespace perfmodel::warp_run_loaded_data_test {

using Masks = std::vector<std::uint32_t>;

constexpr std::string_view by_data = "LDG.E R0, desc[UR4][R2.64]\n"
                                     "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
                                     "@P0 BRA `(.L_end)\n"
                                     "POPC R1, R0\n"
                                     "LDG.E R6, desc[UR4][R2.64]\n"
                                     ".L_end:\n"
                                     "EXIT\n";

TEST(WarpRunLoadedData, a_branch_on_loaded_data_is_refused_by_line) {
  EXPECT_EQ(error_of([] { run_code(by_data); }),
            "line 4: '@P0 BRA `(.L_end)' goes by data that is loaded: whether it is taken is not known; "
            "--unknown taken, skipped or coin says so");
}

TEST(WarpRunLoadedData, a_branch_on_loaded_data_goes_as_the_caller_says) {
  const SeenBlock taken = run_code(by_data, {.unknown = Unknown::taken}),
                  skipped = run_code(by_data, {.unknown = Unknown::skipped});
  EXPECT_EQ(taken.issued("POPC"), 0u);
  EXPECT_EQ(skipped.issued("POPC"), 1u);
  EXPECT_EQ(taken.run.assumed, 1u);
  EXPECT_EQ(skipped.run.assumed, 1u);
  EXPECT_EQ(skipped.run.slow_paths, 0u);
}

TEST(WarpRunLoadedData, by_a_coin_some_lanes_take_a_branch_and_some_do_not_each_time_the_same) {
  const SeenBlock once = run_code(by_data, {.unknown = Unknown::coin});
  ASSERT_EQ(once.issued("POPC"), 1u);
  const std::uint32_t stayed = once.first("POPC").mask;
  EXPECT_GT(std::popcount(stayed), 4);
  EXPECT_LT(std::popcount(stayed), 28);
  EXPECT_EQ(once.run.tossed, 1u);
  EXPECT_EQ(run_code(by_data, {.unknown = Unknown::coin}).first("POPC").mask, stayed);
}

// As FlashAttention does with the logarithm of a sum that may be zero.
TEST(WarpRunLoadedData, a_branch_past_a_little_arithmetic_is_a_guard) {
  constexpr std::string_view code = "LDG.E R0, desc[UR4][R2.64]\n"
                                    "FSETP.NE.AND P0, PT, R0, RZ, PT\n"
                                    "@!P0 BRA `(.L_end)\n"
                                    "LDL R6, [R1+0x10]\n"
                                    "MUFU.LG2 R1, R0\n"
                                    "FMUL R1, R1, R6\n"
                                    ".L_end:\n"
                                    "EXIT\n";
  const SeenBlock seen = run_code(code);
  EXPECT_EQ(seen.issued("MUFU"), 1u);
  EXPECT_EQ(seen.run.unknown_guards, 1u);
  EXPECT_EQ(run_code(code, {.unknown = Unknown::taken}).issued("MUFU"), 0u) << "as the caller says";
}

// LaneWords that are known to go their way do so whatever is said of the others.
TEST(WarpRunLoadedData, known_lanes_of_a_branch_on_loaded_data_go_their_way) {
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

TEST(WarpRunLoadedData, an_exit_on_loaded_data_is_refused_or_goes_as_the_caller_says) {
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
TEST(WarpRunLoadedData, a_slow_path_is_not_taken_on_loaded_data) {
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

TEST(WarpRunLoadedData, what_a_guard_on_loaded_data_writes_is_not_known) {
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

TEST(WarpRunLoadedData, predicates_that_a_guard_on_loaded_data_writes_are_not_known) {
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

} // namespace perfmodel::warp_run_loaded_data_test
