#include "models/core/facts.hpp"
#include "models/core/trace.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/ladders/long_loop.hpp"
#include "models/ladders/reduction_launches.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::reduction_test {

double time_of(const Gpu& gpu, const std::string& version, const Words& options = {}) {
  Words words = options;
  words.emplace_back("version", version);
  return number(ask("reduction", gpu, words), "versions", "time");
}

// Vuduc 2014, slides 68 to 92: each version is faster than the one before, and they come in this order.
TEST(Reduction, the_m2090_climbs_the_ladder_in_the_lectures_order) {
  const Result ladder = ask("reduction", gpu_named("m2090"), {{"threads", "1024"}});
  const Table& rungs = table_of(ladder, "versions");
  ASSERT_EQ(rungs.rows(), 7); // no shuffles before cc 3.0
  for (std::size_t row = 1; row < rungs.rows(); ++row) EXPECT_GT(rungs.at("gain").number(row), 1) << row;
  EXPECT_TRUE(std::isnan(rungs.at("gain").number(0)));
  // Harris 2007: the problem that each kernel of his removes.
  EXPECT_EQ(rungs.at("fixed").text(0), "");
  EXPECT_EQ(rungs.at("fixed").text(1), "divergent warps");
  EXPECT_EQ(rungs.at("fixed").text(2), "bank conflicts");
  for (std::size_t row = 1; row < rungs.rows(); ++row) EXPECT_NE(rungs.at("fixed").text(row), "") << row;
}

// n - 1 additions of 4 n bytes.
TEST(Reduction, does_a_quarter_of_an_operation_for_each_byte) {
  const Result big = ask("reduction", gpu_named("h200"), {{"version", "vector"}, {"n", "16777216"}});
  EXPECT_DOUBLE_EQ(number(big, "versions", "intensity"), 16777215.0 / 67108864);
  EXPECT_DOUBLE_EQ(number(big, "versions", "performance"), 16777215 / number(big, "versions", "time"));
  EXPECT_EQ(text(big, "versions", "level"), "dram");
  const Result small = ask("reduction", gpu_named("h200"), {{"version", "vector"}, {"n", "4194304"}});
  EXPECT_EQ(text(small, "versions", "level"), "l2") << "16 MiB stay there";
}

TEST(Reduction, one_version_alone_takes_what_it_takes_in_the_ladder) {
  const Gpu gpu = gpu_named("h200");
  const Result ladder = ask("reduction", gpu, {{"n", "4194304"}});
  const Table& rungs = table_of(ladder, "versions");
  for (const std::string version : {"interleaved", "unrolled", "vector"})
    EXPECT_DOUBLE_EQ(time_of(gpu, version, {{"n", "4194304"}}),
                     rungs.at("time").number(row_of(rungs, "version", version)));
}

// Blocks of 1024 threads leave 16 384 partial sums of 2^24 numbers, those 16, those 1.
TEST(Reduction, passes_go_on_until_one_number_is_left) {
  const Gpu gpu = gpu_named("h200");
  const Result r = ask("reduction", gpu, {{"version", "sequential"}, {"n", "16777216"}, {"threads", "1024"}});
  EXPECT_EQ(number(r, "versions", "blocks"), 16384);
  EXPECT_EQ(number(r, "versions", "passes"), 3);
  EXPECT_EQ(number(ask("reduction", gpu, {{"version", "sequential"}, {"n", "1"}}), "versions", "passes"), 1);
  EXPECT_EQ(number(ask("reduction", gpu, {{"version", "vector"}}), "versions", "passes"), 1);
}

// 8 blocks on each of 132 SMs add to one word of L2; at 1 M/s alone they take a millisecond.
TEST(Reduction, blocks_that_say_that_they_are_done_wait_for_each_other) {
  const Gpu gpu = with_facts(gpu_named("h200"), {{"l2.counter_rate", "1 M/s"}});
  const Words words{{"n", "4194304"}, {"threads", "128"}};
  EXPECT_NEAR(time_of(gpu, "vector", words), 1056e-6, 10e-6);
  EXPECT_LT(time_of(gpu, "shuffle", words), 30e-6); // a launch of its own adds its partial sums up
}

// One instruction adds two words, one compares them: on an H100 the least, the greatest and the sum of 2^30
// numbers took 1.365, 1.366 and 1.365 ms by vectors, 4.825, 4.834 and 4.821 ms by sequential addressing.
TEST(Reduction, the_least_and_the_greatest_take_as_long_as_the_sum) {
  const Gpu gpu = gpu_named("h100-sxm");
  for (const std::string version : {"sequential", "unrolled", "vector"}) {
    const auto asked = [&](const char* type) {
      return ask("reduction", gpu, {{"version", version}, {"n", "16777216"}, {"type", type}});
    };
    const Result sum = asked("int32");
    for (const char* type : {"min", "max"}) {
      const Result r = asked(type);
      EXPECT_NEAR(number(r, "versions", "time") / number(sum, "versions", "time"), 1, 0.02)
          << version << type;
      EXPECT_DOUBLE_EQ(number(r, "versions", "wavefronts"), number(sum, "versions", "wavefronts"));
      EXPECT_NE(r.verdict.front().find(std::string("finds the ") + type + " of"), std::string::npos);
    }
  }
}

// n - 1 additions of 8 n bytes; vectors of 16 bytes hold two of them.
TEST(Reduction, numbers_of_64_bits_are_twice_the_bytes) {
  const Result r =
      ask("reduction", gpu_named("h200"), {{"version", "vector"}, {"n", "16777216"}, {"type", "int64"}});
  EXPECT_DOUBLE_EQ(number(r, "versions", "intensity"), 16777215.0 / 134217728);
  EXPECT_NEAR(number(r, "versions", "sectors"), 134217728 / 32, 5000);
  EXPECT_NEAR(number(r, "versions", "dram_bytes"), 134217728, 0.02 * 134217728);
  EXPECT_EQ(reduction_loop(ReductionVersion::vector, ReductionType::int64, 256, 3).numbers, 3 * 256 * 2 * 4);
  EXPECT_EQ(reduction_loop(ReductionVersion::vector, ReductionType::min, 256, 3).numbers, 3 * 256 * 4 * 4);
}

// Of 2^20 numbers, 32 of each thread: 256 blocks of 128 threads, whose sums the last of them loads, 1024 B in
// 32 sectors.
TEST(Reduction, the_last_block_gathers_the_partial_sums) {
  const Gpu gpu = gpu_named("h200");
  const Words words{{"version", "vector"}, {"n", "1048576"}, {"threads", "128"}};
  const Result r = ask("reduction", gpu, words);
  EXPECT_EQ(number(r, "versions", "blocks"), 256);
  const double atomics = 256; // each block counts itself, at one word
  EXPECT_EQ(number(r, "versions", "sectors"), 1048576 * 4 / 32 + 32 + atomics);
}

TEST(ReductionLaunches, every_version_has_its_kernel_in_every_block_size) {
  for (std::size_t of = 0; of < names(ReductionType{}).size(); ++of)
    for (std::size_t v = 0; v < names(ReductionVersion{}).size(); ++v)
      for (std::int64_t threads = 64; threads <= 1024; threads *= 2) {
        const auto type = static_cast<ReductionType>(of);
        const auto version = static_cast<ReductionVersion>(v);
        const KernelCode& code = known_kernel("reduction", reduction_kernel(version, type, threads), 9.0);
        const KernelLaunch launch = reduction_launch(version, type, threads, {1000, 2});
        EXPECT_EQ(code.parameters.size(), launch.arguments.list.size()) << code.name;
        EXPECT_NO_THROW(constant_bank(code, launch)) << code.name;
      }
}

// Blocks of 256: 1000 numbers are four blocks' at one number a thread, two at two; the vector version's
// threads take 32 at least.
TEST(ReductionLaunches, go_on_until_one_number_is_left) {
  const auto passes = [](ReductionVersion version, std::int64_t n) {
    std::vector<std::pair<std::int64_t, std::int64_t>> list;
    for (const ReductionPass& pass : reduction_passes(version, 256, n, 8))
      list.emplace_back(pass.n, pass.blocks);
    return list;
  };
  using List = std::vector<std::pair<std::int64_t, std::int64_t>>;
  EXPECT_EQ(passes(ReductionVersion::interleaved, 1000), (List{{1000, 4}, {4, 1}}));
  EXPECT_EQ(passes(ReductionVersion::first_add, 1000), (List{{1000, 2}, {2, 1}}));
  EXPECT_EQ(passes(ReductionVersion::first_add, 1), (List{{1, 1}}));
  EXPECT_EQ(passes(ReductionVersion::grid_stride, 1'000'000), (List{{1'000'000, 8}, {8, 1}})); // a wave
  EXPECT_EQ(passes(ReductionVersion::vector, 1'000'000), (List{{1'000'000, 8}}));
  EXPECT_EQ(passes(ReductionVersion::vector, 8193), (List{{8193, 2}}));
}

// A launch of 5 us and 10 ns for each trip, of which a number more than whole trips takes a ns.
TEST(LongLoop, goes_on_in_a_straight_line_from_two_lengths) {
  int asked = 0;
  const auto at = [&](std::int64_t n) {
    ++asked;
    KernelTime t;
    t.time = Seconds(5e-6 + 10e-9 * static_cast<double>(n / 100) + 1e-9 * static_cast<double>(n % 100));
    t.counts.instructions = 7.0 * static_cast<double>(n / 100);
    return t;
  };
  const KernelTime far = long_loop_time(1'000'007, 100, 16, at, at);
  EXPECT_NEAR(far.time.value, 5e-6 + 100e-6 + 7e-9, 1e-15);
  EXPECT_DOUBLE_EQ(far.counts.instructions, 70'000);
  EXPECT_EQ(asked, 2);
  EXPECT_NEAR(long_loop_time(1'007, 100, 16, at, at).time.value, 5e-6 + 100e-9 + 7e-9, 1e-15);
  EXPECT_EQ(asked, 3) << "a short loop is asked about as it is";
}

TEST(Reduction, block_launches_bound_small_blocks_and_larger_blocks_are_launched_less_often) {
  const Gpu gpu = with_facts(gpu_named("h200"), {{"block.launch_interval", "5000 cycle"}});
  const Result r = ask("reduction", gpu, {{"version", "unrolled"}, {"n", "268435456"}});
  EXPECT_EQ(text(r, "versions", "bound"), "block launch");
  EXPECT_NEAR(time_of(gpu, "unrolled", {{"n", "268435456"}, {"threads", "128"}}) /
                  time_of(gpu, "unrolled", {{"n", "268435456"}, {"threads", "256"}}),
              2, 0.02);
  EXPECT_LT(time_of(gpu, "vector", {{"n", "268435456"}}), number(r, "versions", "time") / 10);
}

TEST(Reduction, what_cannot_be_summed_so_is_refused_in_a_sentence) {
  const Gpu m2090 = gpu_named("m2090");
  EXPECT_EQ(error_of([&] {
              ask("reduction", m2090, {{"threads", "96"}});
            }),
            "--threads 96: a power of two from 64 to 1024 is expected");
  EXPECT_EQ(error_of([&] {
              ask("reduction", m2090, {{"n", "4294967296"}});
            }),
            "--n 4294967296: 17.18 GB do not fit the 6.442 GB of m2090");
  EXPECT_EQ(error_of([&] {
              ask("reduction", m2090, {{"version", "shuffle"}});
            }),
            "--version shuffle: m2090 has no warp shuffle before compute capability 3.0");
}

// Of an L2 of 60 MiB two fifths are sure to keep what SMs everywhere read: with 32 MiB the answer hangs on
// it, with 4 MiB it does not; of an array of which each SM finds its own part again, with 48 MiB. What else
// of L2 its files do not say is given.
TEST(Reduction, an_answer_that_hangs_on_what_l2_keeps_is_no_better_known_than_that) {
  Gpu gpu = with_facts(gpu_named("h200"), {{"sustained.l2_write", "3.9 TB/s"},
                                           {"l2.sm_sector_interval", "1.25 cycle"},
                                           {"l2.sm_line_interval", "4 cycle"},
                                           {"l2.latency_mean", "282 cycle"},
                                           {"dram.latency_mean", "700 cycle"},
                                           {"l1.open_lines", "8"},
                                           {"l2.sm_atomic_interval", "1.26 cycle"},
                                           {"l2.atomic_rate", "121 G/s"},
                                           {"l2.kib_atomic_rate", "2.9 G/s"}});
  gpu.facts.erase("l2.shared_capacity");
  const auto grade = [&](const char* model, const Words& words) {
    return ask_graded(model, gpu, words).grade;
  };
  EXPECT_EQ(grade("reduction", {{"version", "shuffle"}, {"n", "12582912"}}), Grade::assumed);
  EXPECT_LT(grade("reduction", {{"version", "shuffle"}, {"n", "1048576"}}), Grade::assumed);
  EXPECT_EQ(grade("transpose", {{"version", "copy"}, {"n", "2500"}}), Grade::assumed);
  EXPECT_LT(grade("transpose", {{"version", "copy"}, {"n", "512"}}), Grade::assumed);
  EXPECT_EQ(grade("suffix-sums", {{"version", "warps"}, {"blocks", "20000"}}), Grade::assumed);
  EXPECT_LT(grade("suffix-sums", {{"version", "warps"}, {"blocks", "2048"}}), Grade::assumed);
}

} // namespace perfmodel::reduction_test
