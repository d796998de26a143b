#include "block_runs.hpp"

#include <gtest/gtest.h>

#include <chrono>

// Warps of a block that wait for one another, and for what never comes.
namespace perfmodel::warp_run_barriers_test {

using Masks = std::vector<std::uint32_t>;

// What warp 0 stores in front of the barrier, warp 1 loads behind it.
TEST(WarpRunBarriers, a_barrier_keeps_warps_in_step) {
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

TEST(WarpRunBarriers, lanes_without_the_guard_do_not_wait_at_a_barrier) {
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
TEST(WarpRunBarriers, what_a_barrier_votes_is_not_known) {
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

TEST(WarpRunBarriers, warps_that_have_ended_are_not_waited_for) {
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

TEST(WarpRunBarriers, who_arrives_at_a_barrier_need_not_wait) {
  const SeenBlock seen =
      run_code(std::string(producer) + "BAR.SYNC 0x2, 0x20\nBAR.ARV 0x1, 0x40\nEXIT\n", {.block = {.x = 64}});
  EXPECT_EQ(seen.issued("POPC"), 2u);
}

TEST(WarpRunBarriers, an_arrival_counts_for_one_barrier) {
  EXPECT_EQ(
      error_of([] { run_code(std::string(producer) + "BAR.SYNC 0x3, 0x40\nEXIT\n", {.block = {.x = 64}}); }),
      "the warps of a block wait for one another for ever: some wait at a barrier that others never reach");
}

TEST(WarpRunBarriers, warps_at_different_barriers_wait_for_ever) {
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

TEST(WarpRunBarriers, lanes_that_wait_for_one_another_for_ever_are_refused) {
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

TEST(WarpRunBarriers, an_endless_loop_is_refused_within_seconds) {
  const auto start = std::chrono::steady_clock::now();
  const KernelCode code = read_listing(listing_of("NOP\n.L_x:\nNOP\nBRA `(.L_x)\n"), "");
  const KernelLaunch launch{.block = {.x = 256}};
  EXPECT_EQ(error_of([&] { KernelRunner(code, launch).run(0, {}, [](const Executed&) {}); }),
            "a block runs for more than 10000000 instructions; line 5 is one of its loop");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(WarpRunBarriers, who_asks_may_have_less_patience) {
  const KernelCode code = read_listing(listing_of(".L_x:\nBRA `(.L_x)\n"), "");
  const KernelLaunch launch{.block = {.x = 32}};
  EXPECT_EQ(error_of([&] {
              KernelRunner(code, launch)
                  .run(
                      0, {}, [](const Executed&) {}, 100);
            }),
            "a block runs for more than 100 instructions; line 3 is one of its loop");
}

TEST(WarpRunBarriers, code_that_does_not_end_in_exit_is_refused) {
  EXPECT_EQ(error_of([] { run_code("NOP\n"); }),
            "the code runs past its last instruction, in line 2: is the listing cut off?");
}

} // namespace perfmodel::warp_run_barriers_test
