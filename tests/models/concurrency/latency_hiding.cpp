#include "models/concurrency/latency_hiding.hpp"

#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::latency_hiding_test {

using Input = LatencyHiding::Input;

LatencyHiding::Rate rate(const Gpu& gpu, const Input& in) {
  Plain plain;
  return LatencyHiding::predict(gpu, in, plain);
}
Input input(Count threads, Count ilp, Count unroll = 8, Count operands = 3, Count blocks = 1) {
  Input in;
  in.threads = threads;
  in.blocks = blocks;
  in.ilp = ilp;
  in.unroll = unroll;
  in.operands = operands;
  return in;
}
// Warps x 32 x FMAs of a trip / the rate.
double trip(const Gpu& gpu, const Input& in) {
  return std::ceil(in.threads / 32) * *in.blocks * 32 * in.unroll * *in.ilp / rate(gpu, in).rate.value;
}

// Round constants, so that a trip can be worked by hand: L 4, i 1, O 3, E 7, two banks of one operand a
// cycle.
Gpu hopper() {
  return with_facts(gpu_named("h200"), {{"fma.latency", "4"},
                                        {"loop.issue", "3"},
                                        {"loop.latency", "7"},
                                        {"register.reads", "2"},
                                        {"register.banks", "2"}});
}

// 8 x 20 + 9.36 = 169.36 cycles; 32 x 8 / 169.36 = 1.512 FMAs of 32. Printed: 0.05 (Vuduc 2014, slide 31).
TEST(LatencyHiding, one_warp_of_the_m2090_waits_for_every_result) {
  const Gpu gpu = gpu_named("m2090");
  EXPECT_NEAR(trip(gpu, input(32, 1)), 169.36, 1e-9);
  EXPECT_NEAR(rate(gpu, input(32, 1)).of_peak, 256 / 169.36 / 32, 1e-12);
  EXPECT_NEAR(rate(gpu, input(256, 1)).rate.value, 12.093, 0.0005)
      << "8 warps, 4 of a scheduler, take as long";
  EXPECT_EQ(rate(gpu, input(256, 1)).bound, "latency");
}

// 64 FMAs each 6.04 cycles apart, 5.05 instructions of the loop as well, then 9.36: 386.56 + 30.502 + 9.36.
TEST(LatencyHiding, one_warp_of_the_m2090_cannot_issue_back_to_back) {
  const Gpu gpu = gpu_named("m2090");
  EXPECT_NEAR(trip(gpu, input(32, 8)), 426.422, 1e-9);
  EXPECT_EQ(rate(gpu, input(32, 8)).bound, "reissue");
}

// 16 warps of a scheduler: W = 8 k x 2 + 10.1 cycles each, E hidden. Printed: 0.63 and 0.96.
TEST(LatencyHiding, at_the_plateau_of_the_m2090_the_loop_is_what_is_left) {
  const Gpu gpu = gpu_named("m2090");
  EXPECT_NEAR(rate(gpu, input(1024, 1)).of_peak, 16 / 26.1, 1e-12);
  EXPECT_NEAR(rate(gpu, input(1024, 16)).of_peak, 256 / 266.1, 1e-12);
  EXPECT_EQ(rate(gpu, input(1024, 16)).bound, "issue");
}

// 48 lanes, but two schedulers with one instruction of 32 every two cycles (R. Vuduc, GPU
// tuning, part 1, slide 40).
TEST(LatencyHiding, cc_2_1_reaches_two_thirds_without_pairs_of_independent_instructions) {
  const Gpu gpu = free_of(gpu_named("gtx460"), {"loop.issue", "loop.latency"});
  EXPECT_NEAR(rate(gpu, input(1024, 1)).of_peak, 2.0 / 3, 1e-12);
  EXPECT_EQ(rate(gpu, input(1024, 1)).bound, "issue");
  EXPECT_NEAR(rate(gpu, input(1024, 2)).of_peak, 1, 1e-12);
  EXPECT_EQ(rate(gpu, input(1024, 2)).bound, "lanes");
}

// 192 lanes, four schedulers of one warp a cycle: 128 of 192. Eight warps fill a latency of 8 exactly.
TEST(LatencyHiding, kepler_reaches_128_of_192_lanes_without_pairs) {
  const Gpu gpu =
      free_of(with_facts(gpu_named("k40"), {{"fma.latency", "8"}}), {"loop.issue", "loop.latency"});
  EXPECT_NEAR(rate(gpu, input(1024, 1)).rate.value, 128, 1e-9);
  EXPECT_NEAR(rate(gpu, input(992, 1)).rate.value, 124, 1e-9) << "31 warps take the time of 32";
  EXPECT_NEAR(rate(gpu, input(1024, 2)).rate.value, 192, 1e-9);
}

// 16 lanes of a scheduler: a warp takes them for two cycles, though an instruction could follow after one.
TEST(LatencyHiding, on_cc_7_0_the_lanes_are_full_before_the_issue_slots) {
  const Gpu gpu =
      free_of(with_facts(gpu_named("v100"), {{"fma.latency", "4"}}), {"loop.issue", "loop.latency"});
  EXPECT_NEAR(rate(gpu, input(128, 1)).of_peak, 0.5, 1e-12);
  EXPECT_NEAR(rate(gpu, input(256, 1)).of_peak, 1, 1e-12) << "4 cycles x 64 lanes";
  EXPECT_NEAR(rate(gpu, input(1024, 1)).of_peak, 1, 1e-12);
  EXPECT_EQ(rate(gpu, input(1024, 1)).bound, "lanes");
}

// n = 1, 2: 8 x 4 + 7. 4: 4 x 11 + 4 x 7 x (1 - 3/4). 8: 8 x 11.
TEST(LatencyHiding, two_operands_on_hopper_worked_by_hand) {
  EXPECT_NEAR(trip(hopper(), input(128, 1, 8, 2)), 39, 1e-9);
  EXPECT_NEAR(trip(hopper(), input(256, 1, 8, 2)), 39, 1e-9);
  EXPECT_NEAR(trip(hopper(), input(512, 1, 8, 2)), 51, 1e-9);
  EXPECT_NEAR(trip(hopper(), input(1024, 1, 8, 2)), 88, 1e-9);
  EXPECT_EQ(rate(hopper(), input(1024, 1, 8, 2)).bound, "issue");
}

// An FMA takes a bank for two cycles, the loop's compare for one: W = 8 x 2 + 1. One warp waits for nobody;
// two wait for each other at every FMA: 8 x 5 + 7. 4 and 8: 4 x 17, 8 x 17.
TEST(LatencyHiding, three_operands_on_hopper_worked_by_hand) {
  EXPECT_NEAR(trip(hopper(), input(128, 1)), 39, 1e-9);
  EXPECT_NEAR(trip(hopper(), input(256, 1)), 47, 1e-9);
  EXPECT_NEAR(trip(hopper(), input(512, 1)), 68, 1e-9);
  EXPECT_NEAR(trip(hopper(), input(1024, 1)), 136, 1e-9);
  EXPECT_EQ(rate(hopper(), input(1024, 1)).bound, "operand fetch");
}

// 64 of 64 x 2 + 1 cycles; with four chains the shared operand stays: 256 of max(256 + 3, 256 + 1).
TEST(LatencyHiding, three_operands_reach_half_of_the_peak_of_hopper_until_chains_share_them) {
  EXPECT_NEAR(rate(hopper(), input(1024, 1, 64)).of_peak, 64.0 / 129, 1e-12);
  EXPECT_NEAR(rate(hopper(), input(1024, 4, 64)).of_peak, 256.0 / 259, 1e-12);
  EXPECT_NEAR(rate(hopper(), input(1024, 1, 64, 2)).of_peak, 64.0 / 67, 1e-12);
}

// Two blocks of 10 warps on 4 schedulers: 3 and 2 on the fullest. The older block's 3 take 64 x 4 + 7 = 263
// cycles and leave 263 - 3 x 67 = 62 of the issue; the younger's 2 need 2 x 67 = 134 and do 62 / 134 of their
// trip. The rest, alone, at 263 a trip: 263 x (2 - 62 / 134) = 404.31.
TEST(LatencyHiding, a_younger_block_is_left_behind_with_too_few_warps) {
  const LatencyHiding::Rate r = rate(hopper(), input(320, 1, 64, 2, 2));
  EXPECT_NEAR(r.rate.value, 20 * 32 * 64 / (263 * (2 - 62.0 / 134)), 1e-9);
  EXPECT_EQ(r.bound, "younger block");
  EXPECT_GT(rate(hopper(), input(640, 1, 64, 2)).rate.value, r.rate.value) << "one block of as many threads";
}

// 30 warps: 3, 3 and 2. The second block does 62 / 201 of a trip beside the first, and the third 62 / 134 of
// what the second has left.
TEST(LatencyHiding, of_three_blocks_the_youngest_waits_longest) {
  const double second = 1 - 62.0 / 201, third = 1 - second * 62.0 / 134;
  EXPECT_NEAR(trip(hopper(), input(320, 1, 64, 2, 3)), 263 * (1 + second + third), 1e-9);
}

// Five warps of a scheduler leave nothing of the issue, and the five after them neither: 2 x 335 = 10 x 67.
TEST(LatencyHiding, blocks_that_fill_the_issue_one_by_one_lose_nothing) {
  const LatencyHiding::Rate two = rate(hopper(), input(640, 1, 64, 2, 2));
  EXPECT_NEAR(two.rate.value, 1280 * 64 / 670.0, 1e-9);
  EXPECT_EQ(two.bound, "issue");
}

TEST(LatencyHiding, a_sweep_goes_on_without_the_blocks_that_cannot_run) {
  const Result r = ask("latency-hiding", gpu_named("h200"), {{"threads", "960:1088:32"}});
  EXPECT_EQ(table_of(r, LatencyHiding::Rate::title).rows(), 3u) << "960, 992, 1024";
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_EQ(r.notes[0],
            "The kernel cannot run at 2 of 5 points, which are left out; the first: a block of 1056 threads "
            "cannot launch on h200: a block has at most 1024 threads.");
}

TEST(LatencyHiding, errors_are_sentences) {
  const Gpu gpu = gpu_named("h200");
  const auto why = [&](const Words& options) {
    return error_of([&] { ask("latency-hiding", gpu, options); });
  };
  EXPECT_EQ(why({{"threads", "0"}}), "--threads: 0 given, a whole number from 1 is expected");
  EXPECT_EQ(why({{"threads", "2000"}}),
            "a block of 2000 threads cannot launch on h200: a block has at most 1024 threads");
  EXPECT_EQ(why({{"ilp", "0"}}), "--ilp: 0 given, a whole number from 1 to 65536 is expected");
  EXPECT_EQ(why({{"ilp", "300"}}),
            "--ilp 300: that many chains need about 310 registers of a thread; h200 allows 255");
  EXPECT_EQ(why({{"operands", "4"}}), "--operands 4: an FMA reads 2 or 3 different registers");
  EXPECT_EQ(why({{"operands", "1"}}), "--operands 1: an FMA reads 2 or 3 different registers");
  EXPECT_EQ(why({{"blocks", "99"}}),
            "--blocks 99: an SM of h200 holds 8 blocks of 256 threads (limit: warps)");
  EXPECT_EQ(why({{"blocks", "8"}}), "no error");
  EXPECT_EQ(why({{"blocks", "9"}}), "--blocks 9: an SM of h200 holds 8 blocks of 256 threads (limit: warps)");
  EXPECT_EQ(why({{"target", "2"}}), "--target 2: a share of the peak is at most 1; is 2% meant?");
  EXPECT_EQ(why({{"target", "1"}}), "no error");
  EXPECT_EQ(why({{"ilp", "245"}, {"threads", "32"}}), "no error") << "the last that fits, 255 registers";
  EXPECT_EQ(why({{"ilp", "246"}, {"threads", "32"}}),
            "--ilp 246: that many chains need about 256 registers of a thread; h200 allows 255");
}

} // namespace perfmodel::latency_hiding_test
