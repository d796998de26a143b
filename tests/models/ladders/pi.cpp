#include "models/core/facts.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace perfmodel::pi_test {

double of(const Gpu& gpu, const std::string& version, const std::string& column, const std::string& n,
          const std::string& threads = "256") {
  return number(ask("pi", gpu, {{"version", version}, {"n", n}, {"threads", threads}}), "versions", column);
}

double rule(int n) {
  double sum = 0.5;
  for (int i = 1; i < n; ++i) sum += std::sqrt(1 - double(i) / n * (double(i) / n));
  return 4 * sum / n;
}

// 2 for one interval, 2.732 for two.
TEST(Pi, the_error_of_the_rule_is_that_of_the_rule) {
  EXPECT_DOUBLE_EQ(rule(1), 2);
  const Gpu gpu = gpu_named("h200");
  for (const int n : {1, 2, 17, 64, 1000, 65536})
    EXPECT_NEAR(of(gpu, "unsummed", "rule_error", std::to_string(n)) / (std::numbers::pi - rule(n)), 1,
                n == 1 ? 0.04 : 0.02)
        << n;
}

// What the exercise is to show.
TEST(Pi, the_summation_counts_for_the_less_the_more_each_thread_has_added_up) {
  for (const std::string name : {"h200", "v100", "m2090"}) {
    const Gpu gpu = gpu_named(name);
    for (const std::string version : {"interleaved", "sequential"}) {
      double before = 1;
      for (const char* n : {"65536", "4194304", "67108864", "1073741824"}) {
        const double share = of(gpu, version, "share", n);
        EXPECT_LT(share, before) << name << ", " << version << ", n " << n;
        before = share;
      }
      EXPECT_LT(before, 0.02) << name << ", " << version;
    }
    EXPECT_GT(of(gpu, "interleaved", "time", "65536"), of(gpu, "sequential", "time", "65536")) << name;
    EXPECT_DOUBLE_EQ(of(gpu, "unsummed", "share", "65536"), 0);
  }
}

TEST(Pi, one_version_alone_takes_what_it_takes_among_all) {
  const Gpu gpu = gpu_named("h200");
  const Result all = ask("pi", gpu, {{"n", "999983"}});
  const Table& rows = table_of(all, "versions");
  ASSERT_EQ(rows.rows(), 3);
  for (const std::string version : {"interleaved", "sequential", "unsummed"})
    EXPECT_DOUBLE_EQ(of(gpu, version, "time", "999983"),
                     rows.at("time").number(row_of(rows, "version", version)));
  EXPECT_TRUE(std::isnan(rows.at("gain").number(0)));
  EXPECT_DOUBLE_EQ(rows.at("gain").number(1), rows.at("time").number(0) / rows.at("time").number(1));
}

// 17 instructions in SASS: i2f, fmul, ffma, the 10 of a square root, fadd, and 3 of the loop. Long loops are
// not simulated to their end.
TEST(Pi, a_point_is_17_instructions_of_a_warp_however_long_the_loop) {
  const Gpu gpu = free_of(gpu_named("h200"), {"issue.queued_special", "issue.queued_shared"});
  const double wave = 132 * 2048; // points that all threads add up in a trip
  for (const double trips : {3.0, 40.0, 70.0, 1000.0, 5000.0}) {
    const auto at = [&](double points) {
      return ask("pi", gpu,
                 {{"version", "sequential"}, {"n", std::to_string(static_cast<std::int64_t>(points) + 1)}});
    };
    const auto less = [](const Result& some, const Result& more, const char* column) {
      return number(more, "versions", column) - number(some, "versions", column);
    };
    const Result some = at(wave * trips);
    EXPECT_NEAR(less(some, at(wave * (trips + 1)), "instructions"), 17 * wave / 32, 1) << trips;
    // 16 warps of a scheduler issue 17 each, and some of its slots stay empty: an H200 and an H100 took 312
    // to 315 from 16 777 216 intervals to 67 108 864 and to 268 435 456 (probe pi, sequential, blocks of
    // 256).
    const double cycles = less(some, at(wave * (trips + 40)), "time") * 1980e6 / 40;
    EXPECT_GE(cycles, 16 * 17) << trips;
    EXPECT_NEAR(cycles, 313, 0.06 * 313) << trips;
  }
}

TEST(Pi, numbers_of_intervals_that_fill_no_wave_take_hardly_longer_than_the_full_ones_beside_them) {
  const Gpu gpu = gpu_named("h200");
  const auto time = [&](const std::string& n) { return of(gpu, "sequential", "time", n); };
  EXPECT_LE(time("1"), time("2"));
  EXPECT_DOUBLE_EQ(time("2"), time("17"));
  EXPECT_LE(time("270331"), time("270337") * 1.0001); // 132 SMs x 2048 threads = 270 336 points
  EXPECT_NEAR(time("270338") / time("270337"), 1, 0.05);
  EXPECT_EQ(of(gpu, "sequential", "blocks", "1"), 1);
  EXPECT_EQ(of(gpu, "sequential", "blocks", "257"), 1);
  EXPECT_EQ(of(gpu, "sequential", "blocks", "258"), 2);
}

TEST(Pi, what_cannot_be_summed_so_is_refused_in_a_sentence) {
  const Gpu h200 = gpu_named("h200");
  EXPECT_EQ(error_of([&] {
              ask("pi", h200, {{"threads", "96"}});
            }),
            "--threads 96: a power of two from 32 to 1024 is expected");
  EXPECT_EQ(error_of([&] {
              ask("pi", h200, {{"n", "4294967296"}});
            }),
            "--n 4294967296: at most 2^31 intervals, which a thread counts in 32 bits");
  EXPECT_EQ(error_of([&] {
              ask("pi", gpu_named("8800gtx"), {{"threads", "1024"}});
            }),
            "a block of 1024 threads cannot launch on 8800gtx: a block has at most 512 threads");
}

// Of 2^31 intervals the points alone take nearly all of the time.
TEST(Pi, a_summation_never_takes_less_than_nothing) {
  for (const char* gpu : {"t4", "c2050", "h200"}) {
    const Result r = ask("pi", gpu_named(gpu), {{"n", "2147483648"}});
    for (std::size_t row = 0; row < r.tables[0].rows(); ++row)
      EXPECT_GE(r.tables[0].at("share").number(row), 0) << gpu;
  }
}

// Where the points come out quicker with a sum than without one, the second launch still takes its time.
TEST(Pi, a_summation_takes_its_second_launch_at_least) {
  const Result r = ask("pi", gpu_named("gtx280"));
  const Table& rows = r.tables[0];
  for (std::size_t row = 0; row < rows.rows(); ++row)
    if (rows.at("version").text(row) != "unsummed") {
      EXPECT_GT(rows.at("share").number(row) * rows.at("time").number(row), 5e-6);
    }
}

} // namespace perfmodel::pi_test
