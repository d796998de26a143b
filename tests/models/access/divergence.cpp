#include "models/access/divergence.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::divergence_test {

Result diverge(const Words& words) {
  static const Gpu h200 = gpu_named("h200");
  return ask("divergence", h200, words);
}
double cell(const Words& words, std::string_view column, std::size_t row = 0) {
  return number(diverge(words), "branches", column, row);
}
std::string why(const Words& words) {
  return error_of([&] { diverge(words); });
}

// The two sums of J. Verschelde, Warps and Reduction Algorithms, by hand; 191 = 32 x 5 + 16 + 8 + 4 + 2 + 1,
// and 5 are the last five of warp 0.
TEST(Divergence, of_reductions_is_counted_step_by_step) {
  struct Row {
    const char* kernel;
    int threads;
    double warp_steps, active, divergent;
  };
  for (const Row& r :
       {Row{"reduction-interleaved", 1024, 320, 191, 191}, Row{"reduction-strided", 1024, 320, 36, 5},
        Row{"reduction-sequential", 1024, 320, 36, 5}, Row{"reduction-interleaved", 256, 64, 47, 47},
        Row{"reduction-sequential", 256, 64, 12, 5}, Row{"reduction-interleaved", 512, 144, 95, 95},
        Row{"reduction-strided", 512, 144, 20, 5}}) {
    const Words words{{"kernel", r.kernel}, {"block", std::to_string(r.threads)}};
    EXPECT_EQ(cell(words, "warp_steps"), r.warp_steps) << r.kernel << r.threads;
    EXPECT_EQ(cell(words, "active"), r.active) << r.kernel << r.threads;
    EXPECT_EQ(cell(words, "divergent"), r.divergent) << r.kernel << r.threads;
    EXPECT_EQ(cell(words, "passes"), r.active) << "the other side of the if is empty";
  }
  const Result steps = diverge({{"kernel", "reduction-sequential"}, {"block", "1024"}});
  const double active[] = {16, 8, 4, 2, 1,
                           1,  1, 1, 1, 1}; // warps 0-15 add, 16-31 skip: half of them each step
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(number(steps, "step by step", "active", i), active[i]);
    EXPECT_EQ(number(steps, "step by step", "divergent", i), i < 5 ? 0 : 1);
  }
}

TEST(Divergence, a_reduction_needs_a_power_of_two_of_threads_in_x) {
  for (const char* block : {"100", "16x16", "1"})
    EXPECT_EQ(why({{"kernel", "reduction-strided"}, {"block", block}}),
              "--block " + std::string(block) +
                  ": a reduction's block is a power of two of threads in x, from 2 on");
}

// By hand: even and odd lanes of 8 warps; both sides work, so 2 passes of 16 lanes.
TEST(Divergence, of_an_if_with_else_runs_both_sides) {
  const Words words{{"if", "tid % 2 == 0"}, {"block", "256"}, {"grid", "10"}};
  EXPECT_EQ(cell(words, "warp_steps"), 80);
  EXPECT_EQ(cell(words, "divergent"), 80);
  EXPECT_EQ(cell(words, "passes"), 160);
  EXPECT_EQ(cell(words, "slowdown"), 2);
  EXPECT_EQ(cell(words, "threads_per_instruction"), 16);
  EXPECT_EQ(cell(words, "simt_efficiency"), 0.5);
  EXPECT_EQ(text(diverge(words), "branches", "advice"),
            "let threads side by side take the branch (tid < count, or tid / 32): 0 warps would diverge");
}

TEST(Divergence, of_an_if_without_else_idles_lanes_but_takes_no_longer) {
  const Words words{{"if", "tid % 2 == 0"}, {"else", "nothing"}};
  EXPECT_EQ(cell(words, "divergent"), 8);
  EXPECT_EQ(cell(words, "passes"), 8);
  EXPECT_EQ(cell(words, "slowdown"), 1);
  EXPECT_EQ(cell(words, "simt_efficiency"), 0.5);
}

// 0 < active < live, on both sides: at 31, 32 and 33 of 64 threads.
TEST(Divergence, vanishes_where_the_active_threads_fill_warps) {
  const auto divergent = [](const char* predicate) {
    return cell({{"if", predicate}, {"block", "64"}}, "divergent");
  };
  EXPECT_EQ(divergent("tid < 31"), 1);
  EXPECT_EQ(divergent("tid < 32"), 0);
  EXPECT_EQ(divergent("tid < 33"), 1);
  EXPECT_EQ(divergent("tid < 64"), 0);
  EXPECT_EQ(divergent("0"), 0);
  EXPECT_EQ(divergent("warp % 2"), 0);
  EXPECT_EQ(cell({{"if", "tid < 40"}, {"block", "40"}}, "divergent"), 0)
      << "lanes without a thread do not count";
  EXPECT_EQ(text(diverge({{"if", "tid < 31"}, {"block", "64"}}), "branches", "advice"),
            "only a count of active threads that fills whole warps would remove it");
  EXPECT_EQ(text(diverge({{"if", "row < 100 && col < 100"}, {"block", "16x16"}, {"grid", "7x7"}}), "branches",
                 "advice"),
            "a boundary check: sizes padded to whole blocks have no warp diverge");
  EXPECT_EQ(text(diverge({{"if", "gid % 2"}, {"grid", "2"}}), "branches", "advice").find("boundary"),
            std::string::npos);
}

TEST(Divergence, a_switch_of_k_ways_takes_k_passes) {
  for (int k = 1; k <= 32; ++k) {
    const Words words{{"path", "lane % " + std::to_string(k)}};
    EXPECT_EQ(cell(words, "slowdown"), k);
    EXPECT_EQ(cell(words, "passes"), 8 * k);
    EXPECT_EQ(cell(words, "threads_per_instruction"), 32.0 / k);
    EXPECT_EQ(cell(words, "divergent"), k == 1 ? 0 : 8);
  }
  EXPECT_EQ(cell({{"path", "tid / 32 % 4"}}, "slowdown"), 1) << "warps may differ";
  EXPECT_EQ(cell({{"path", "lane < 16 ? -7 : 1 << 40"}}, "slowdown"), 2) << "any numbers are ways";
}

// Ways are told apart by hashing; with trips each is searched for.
TEST(Divergence, ways_are_counted_alike_with_and_without_trips) {
  for (const char* path :
       {"tid * tid * 7919 % 31", "lane << 58", "lane % 8 * 64", "(lane ^ 21) * 0x9e3779b97f4a7c1",
        "-lane / 3", "tid % 44 / 11", "lane < 5 ? lane : 5"})
    for (const char* column : {"passes", "divergent", "slowdown", "threads_per_instruction"})
      EXPECT_EQ(cell({{"path", path}, {"if", "tid % 5"}, {"block", "250"}}, column),
                cell({{"path", path}, {"if", "tid % 5"}, {"block", "250"}, {"trips", "1"}}, column))
          << path;
}

// J. Verschelde: 6 or 7 iterations. 7 are issued, the last for half of the lanes: (16 x 6 + 16 x 7) / (7 x
// 32).
TEST(Divergence, a_loop_lasts_as_long_as_its_slowest_lane) {
  const Words words{{"trips", "6 + lane % 2"}, {"block", "32"}};
  EXPECT_EQ(cell(words, "passes"), 7);
  EXPECT_EQ(cell(words, "divergent"), 1);
  EXPECT_DOUBLE_EQ(cell(words, "simt_efficiency"), 6.5 / 7);
  EXPECT_DOUBLE_EQ(cell(words, "slowdown"), 7 / 6.5);
  EXPECT_EQ(cell({{"trips", "9"}}, "slowdown"), 1);
  EXPECT_EQ(cell({{"trips", "9"}}, "passes"), 72);
  EXPECT_EQ(cell({{"trips", "9"}}, "divergent"), 0);
  EXPECT_EQ(cell({{"trips", "lane - 100"}}, "passes"), 0) << "for (j = 0; j < n; ++j) with n below 0";
  EXPECT_TRUE(std::isnan(cell({{"trips", "0"}}, "slowdown")));
}

// By hand: lanes 0-15 take way 0 with 5 trips, lanes 16-31 way 1 with 1 or 3: 5 + 3 passes.
TEST(Divergence, ways_may_have_loops_and_a_guard) {
  const Words words{{"path", "lane / 16"}, {"trips", "lane < 16 ? 5 : 1 + lane % 2 * 2"}, {"block", "32"}};
  EXPECT_EQ(cell(words, "passes"), 8);
  EXPECT_DOUBLE_EQ(cell(words, "threads_per_instruction"), (16 * 5 + 16 * 2) / 8.0);
  EXPECT_EQ(cell({{"if", "tid < 8"}, {"path", "lane % 4"}, {"block", "32"}}, "passes"), 5)
      << "4 ways and the else";
  EXPECT_EQ(cell({{"if", "tid < 8"}, {"path", "lane % 4"}, {"else", "nothing"}, {"block", "32"}}, "passes"),
            4);
}

TEST(Divergence, steps_are_seen_as_i_and_names_are_swept) {
  const Words words{{"if", "tid < n << i"}, {"let", "n=1,2"}, {"steps", "5"}, {"block", "32"}};
  EXPECT_EQ(cell(words, "divergent", 0), 5) << "1, 2, 4, 8, 16 of 32";
  EXPECT_EQ(cell(words, "divergent", 1), 4) << "2, 4, 8, 16, 32 of 32";
  EXPECT_EQ(cell(words, "n", 1), 2);
}

TEST(Divergence, blocks_are_swept_and_a_slowdown_can_be_computed_again) {
  const Words words{{"if", "tid < 3"}, {"block", "32,64,8x8"}};
  EXPECT_EQ(text(diverge(words), "branches", "block", 2), "8x8");
  EXPECT_EQ(cell(words, "warp_steps", 0), 1);
  EXPECT_EQ(cell(words, "warp_steps", 1), 2);
  EXPECT_EQ(cell(words, "passes", 1) / cell(words, "one_way_passes", 1), cell(words, "slowdown", 1));
  EXPECT_EQ(why({{"if", "1"}, {"block", "32,,64"}}),
            "--block: '' is no shape of one to three whole numbers, such as 16x16");
}

TEST(Divergence, wrong_questions_are_answered_with_a_sentence) {
  EXPECT_EQ(why({{"if", "tid < 3"}, {"kernel", "matmul-boundary"}}),
            "--kernel has a branch of its own: leave --if, --path and --trips away");
  EXPECT_EQ(why({{"block", "128"}}),
            "matmul-boundary reads --width and --tile alone: its blocks are tiles, its grid "
            "covers the matrix, its steps are the phases");
  EXPECT_EQ(why({{"kernel", "reduction-strided"}, {"steps", "3"}}),
            "a reduction reads --block and --grid alone: its steps are log2 of the threads of a block");
  EXPECT_EQ(why({{"kernel", "reduction-strided"}, {"width", "100"}}),
            "--width and --tile are read by --kernel matmul-boundary alone; expressions take --let names");
  EXPECT_EQ(why({{"if", "tid < 3"}, {"width", "50"}}),
            "--width and --tile are read by --kernel matmul-boundary alone; expressions take --let names");
  for (const Words& words : {Words{{"else", "nothing"}},
                             {{"else", "nothing"}, {"path", "lane % 4"}},
                             {{"else", "nothing"}, {"kernel", "reduction-strided"}}})
    EXPECT_EQ(why(words), "--else says what lanes do that do not take --if: give --if");
  EXPECT_EQ(why({{"if", "  "}}), "--if: the expression is empty");
  EXPECT_EQ(why({{"if", "tid / n"}, {"let", "n=0"}}),
            "--if: column 5: division by zero in thread (0,0,0) of block (0,0,0) where n=0");
  EXPECT_EQ(why({{"if", "tid <"}}), "--if: column 6: a number or a name is expected");
  EXPECT_EQ(why({{"path", "lane % (lane / 8)"}}),
            "--path: column 6: division by zero in thread (0,0,0) of block (0,0,0)");
  EXPECT_EQ(why({{"if", "1"}, {"block", "2000"}}),
            "--block 2000: 2000 threads, but a block of h200 has at most 1024");
  EXPECT_EQ(why({{"if", "1"}, {"steps", "1e9"}}),
            "--steps 1000000000: at most 2^32 threads are walked, in all steps together");
  EXPECT_EQ(why({{"if", "1"}, {"block", "1x1x65"}}),
            "--block 1x1x65: the third side of a block of h200 is at most 64");
  EXPECT_EQ(why({{"if", "1"}, {"block", "1x1x64"}}), "no error");
  EXPECT_EQ(why({{"tile", "33"}}), "--tile 33: blocks of 1089 threads, but a block of h200 has at most 1024");
}

// By the capability, on both sides of each edge.
TEST(Divergence, grids_are_as_large_as_the_capability_allows) {
  const auto grid = [](const char* gpu, const char* shape) {
    return error_of([&] {
      ask("divergence", gpu_named(gpu), {{"if", "tid < 3"}, {"block", "32"}, {"grid", shape}});
    });
  };
  EXPECT_EQ(grid("gtx280", "65535"), "no error");
  EXPECT_EQ(grid("gtx280", "65536"), "--grid 65536: a grid of gtx280 has at most 65535 x 65535 x 1 blocks");
  EXPECT_NE(grid("gtx280", "1x1x2"), "no error");
  EXPECT_NE(grid("m2090", "65536"), "no error");
  EXPECT_EQ(grid("m2090", "1x1x2"), "no error");
  EXPECT_EQ(grid("h200", "65536"), "no error");
  EXPECT_EQ(grid("h200", "1x65536"),
            "--grid 1x65536: a grid of h200 has at most 2147483647 x 65535 x 65535 blocks");
  EXPECT_NE(grid("h200", "1x1x65536"), "no error");
  EXPECT_NE(grid("h200", "2147483648"), "no error");
}

} // namespace perfmodel::divergence_test
