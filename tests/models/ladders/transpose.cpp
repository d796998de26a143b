#include "models/core/what_if.hpp"

#include "tests/models/error_of.hpp"
#include "tests/models/ladders/transpose_on.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::transpose_test {

using namespace transpose_on;

// Filipovic 2010, n = 4000: 5.3, 75.1, 94.9 and 93.4 GB/s. The copy gives the bandwidth, the copy by columns
// the rate of segments: 8 B / (2 / 675 M/s) = 2.7 GB/s.
TEST(Transpose, gtx280_is_within_12_percent_of_the_lectures_rungs) {
  const Gpu& gpu = gpu_named("gtx280");
  const std::map<std::pair<const char*, const char*>, double> published{
      {{"naive", "4000"}, 5.3e9},   {{"tiled", "4000"}, 75.1e9},      {{"tile-copy", "4000"}, 94.9e9},
      {{"padded", "4000"}, 93.4e9}, {{"padded", "4096"}, 19e9},       {{"padded", "3968"}, 62e9},
      {{"copy", "4000"}, 112.4e9},  {{"strided-both", "4000"}, 2.7e9}};
  for (const auto& [rung, measured] : published) {
    const double expected = value(gpu, rung.first, rung.second, "bandwidth");
    EXPECT_NEAR(expected / measured, 1, 0.12)
        << rung.first << " " << rung.second << ": expected " << expected << ", measured " << measured;
  }
}

// 93.4 / 5.3 = 17.6.
TEST(Transpose, gtx280_gains_seventeen_fold) {
  const Result ladder = ask("transpose", gpu_named("gtx280"), {{"n", "4000"}});
  const Table& rungs = table_of(ladder, table);
  EXPECT_NEAR(rungs.at("total_gain").number(row_of(rungs, "version", "padded")), 17.6, 0.12 * 17.6);
  EXPECT_TRUE(std::isnan(rungs.at("gain").number(0)));
  EXPECT_TRUE(std::isnan(rungs.at("total_gain").number(0))); // of the copy, which comes before
}

// At n = 4096 a column of tiles is in one partition: without its bank conflicts the transpose is no faster.
TEST(Transpose, the_fix_of_banks_is_invisible_until_camping_is_fixed) {
  const Gpu& gpu = gpu_named("gtx280");
  const auto gain = [&](const char* n, const char* before, const char* after) {
    return value(gpu, after, n, "bandwidth") / value(gpu, before, n, "bandwidth");
  };
  EXPECT_LT(gain("4096", "tiled", "padded"), 1.02);
  EXPECT_GT(gain("4000", "tiled", "padded"), 1.2);
  EXPECT_GT(gain("4096", "padded", "diagonal"), 3.5);
  EXPECT_LT(gain("4000", "padded", "diagonal"), 1);
  EXPECT_NE(bound(gpu, "tiled", "4096").find("busiest partition"), std::string::npos);
}

struct Order {
  double first_gain, second_gain;
  Seconds both;
  std::string bound;
};
Order order(const Gpu& gpu, const char* n, const char* first) {
  const Result ladder = ask("transpose", gpu, {{"n", n}});
  const Table& fixes = table_of(ladder, "order of the fixes");
  const std::size_t row = row_of(fixes, "first_fix", first);
  return {fixes.at("first_gain").number(row), fixes.at("second_gain").number(row),
          Seconds{fixes.at("after_second").number(row)}, fixes.at("binds_after_each").text(row)};
}

TEST(Transpose, where_partitions_camp_padding_gains_only_after_diagonal_order) {
  const Gpu& gpu = gpu_named("gtx280");
  const Order padding = order(gpu, "4096", "padding"), diagonal = order(gpu, "4096", "diagonal order");
  EXPECT_LT(padding.first_gain, 1.02);
  EXPECT_GT(padding.second_gain, 3.5);
  EXPECT_GT(diagonal.first_gain, 3);
  EXPECT_GT(diagonal.second_gain, 1.1);
  EXPECT_EQ(padding.bound, "the busiest partition of device memory; then device memory, segments");
}

TEST(Transpose, both_orders_of_the_fixes_end_at_the_same_kernel) {
  for (const char* n : {"4000", "4096"})
    for (const Gpu& gpu : {gpu_named("gtx280"), h200()}) {
      const Order padding = order(gpu, n, "padding"), diagonal = order(gpu, n, "diagonal order");
      EXPECT_EQ(padding.both.value, value(gpu, "diagonal", n, "time"));
      EXPECT_EQ(padding.both.value, diagonal.both.value);
      EXPECT_NEAR(padding.first_gain * padding.second_gain, diagonal.first_gain * diagonal.second_gain, 1e-9);
    }
}

// Nothing camps there: padding gains as much first as second, diagonal order neither time. With queues and
// barriers, in which warps come apart.
TEST(Transpose, the_order_of_the_fixes_hardly_matters_where_addresses_are_hashed) {
  const Gpu gpu = with_facts(h200(), {{"dram.service", "65 cycle"},
                                      {"barrier.latency", "14 cycle"},
                                      {"barrier.per_warp", "2 cycle"},
                                      {"issue.memory_interval", "4 cycle"}});
  const Order padding = order(gpu, "4096", "padding"), diagonal = order(gpu, "4096", "diagonal order");
  EXPECT_GT(padding.first_gain, 1.5);
  EXPECT_NEAR(diagonal.second_gain / padding.first_gain, 1, 0.1);
  EXPECT_LT(padding.second_gain, 1);
  EXPECT_LT(diagonal.first_gain, 1.05);
}

TEST(Transpose, the_unpadded_diagonal_kernel_is_a_row_only_when_asked_for) {
  const Gpu& gpu = gpu_named("gtx280");
  const Result ladder = ask("transpose", gpu);
  EXPECT_THROW(row_of(table_of(ladder, table), "version", "diagonal-unpadded"), std::runtime_error);
  EXPECT_GT(value(gpu, "diagonal-unpadded", "4096", "time"), value(gpu, "diagonal", "4096", "time"));
  EXPECT_EQ(ask("transpose", gpu, {{"version", "diagonal-unpadded"}}).tables.size(), 1);
  // 32 words of one bank: those of `tiled`.
  EXPECT_EQ(value(h200(), "diagonal-unpadded", "4096", "wavefronts"), 128. * 128 * (32 + 32 * 32));
}

// A warp's column is 32 sectors of 32 B, of which it wants 4 B each; its row is 4.
TEST(Transpose, columns_take_eight_times_the_sectors_of_rows) {
  const Gpu gpu = h200();
  EXPECT_EQ(value(gpu, "copy", "4096", "load_transactions"), 4096. * 4096 / 8);
  EXPECT_EQ(value(gpu, "naive", "4096", "load_transactions"), 4096. * 4096 / 8);
  EXPECT_EQ(value(gpu, "naive", "4096", "store_transactions"), 4096. * 4096);
  EXPECT_EQ(value(gpu, "strided-both", "4096", "load_transactions"), 4096. * 4096);
  EXPECT_EQ(value(gpu, "vectorised", "4096", "store_transactions"), 4096. * 4096 / 8);
  EXPECT_EQ(value(gpu, "tensor-copy", "4096", "store_transactions"), 0);
  // cc 1.3: two half-warps of 64 B for a row, 16 segments each for a column.
  EXPECT_EQ(value(gpu_named("gtx280"), "naive", "4096", "load_transactions"), 4096. * 4096 / 16);
  EXPECT_EQ(value(gpu_named("gtx280"), "naive", "4096", "store_transactions"), 4096. * 4096);
}

// n = 33: rows start at 4 B from a sector's start or more, so that they lie in five or six.
TEST(Transpose, tiles_at_the_edges_are_counted) {
  std::set<std::int64_t> sectors;
  double all = 0;
  for (std::int64_t row = 0; row < 33; ++row)
    for (const auto& [first, words] : {std::pair(0, 32), std::pair(32, 1)}) {
      sectors.clear();
      for (std::int64_t x = first; x < first + words; ++x) sectors.insert((row * 33 + x) / 8);
      all += static_cast<double>(sectors.size());
    }
  EXPECT_EQ(value(h200(), "copy", "33", "load_transactions"), all);
  EXPECT_EQ(value(h200(), "padded", "33", "store_transactions"), all);
}

// 32 words of one bank are 32 wavefronts; 33 words a row make it one. Per tile 32 loads and 32 stores.
TEST(Transpose, a_word_of_padding_takes_the_conflicts_away) {
  const Gpu gpu = h200();
  EXPECT_EQ(value(gpu, "tiled", "4096", "wavefronts"), 128. * 128 * (32 + 32 * 32));
  EXPECT_EQ(value(gpu, "padded", "4096", "wavefronts"), 128. * 128 * (32 + 32));
  // 16 B of 32 threads are four wavefronts, a gathered word is one: 8 for each 128 words.
  EXPECT_EQ(value(gpu, "vectorised", "4096", "wavefronts"), 4096. * 4096 / 128 * 8);
  EXPECT_EQ(value(gpu, "tensor-copy", "4096", "wavefronts"), 4096. * 4096 / 128 * 8);
  EXPECT_EQ(bound(gpu, "tiled", "4096"), "bank conflicts of shared memory");
}

// 4 B / 66 G/s for each word stored, whatever n: 8 B x 66 G/s = 528 GB/s at most.
TEST(Transpose, h200_stores_single_words_at_the_rate_of_l2) {
  for (const char* n : {"4000", "16384"}) {
    EXPECT_LT(value(h200(), "naive", n, "bandwidth"), 528e9);
    EXPECT_GT(value(h200(), "naive", n, "bandwidth"), 0.9 * 528e9);
    const double ratio =
        value(h200(), "strided-both", n, "bandwidth") / value(h200(), "naive", n, "bandwidth");
    EXPECT_LT(ratio, n == std::string_view("4000") ? 1 : 1.01) << "large ones stand at the rate of L2, both";
    EXPECT_GT(ratio, 0.95) << "0.96 to 0.98 on an H200 (26 November 2026, probe transpose)";
  }
  EXPECT_EQ(bound(h200(), "naive", "16384"), "L2, stores of single words");
}

// Large matrices at what copies sustain that are written so: 4.3, 3.5, 3.3, 4 TB/s.
TEST(Transpose, h200_writes_tiles_at_the_bandwidth_of_their_runs) {
  const auto of = [&](const char* version) { return value(h200(), version, "16384", "bandwidth"); };
  EXPECT_NEAR(of("copy") / 4.3e12, 1, 0.02);
  EXPECT_NEAR(of("padded") / 3.5e12, 1, 0.02);
  EXPECT_NEAR(of("diagonal") / 3.3e12, 1, 0.02);
  EXPECT_NEAR(of("vectorised") / 4e12, 1, 0.02);
  EXPECT_EQ(value(h200(), "copy", "16384", "dram_bytes"), 8. * 16384 * 16384);
}

// Fermi's L2 takes single words at a rate that nobody has measured for us.
// Whether a matrix stays in L2 decides what is simulated: --explain and the list of constants name the fact.
TEST(Transpose, and_the_other_ladders_explain_what_l2_keeps) {
  for (const auto& [name, options] : {std::pair<const char*, Words>{"transpose", {{"n", "512"}}},
                                      {"reduction", {{"n", "4096"}}},
                                      {"suffix-sums", {{"blocks", "10"}}}}) {
    const Gpu gpu = gpu_named("h200");
    Request request = request_of(model(name), options);
    request.explain = true;
    const Result r = predict(model(name), std::span(&gpu, 1), request);
    ASSERT_FALSE(r.derivations.empty()) << name;
    const std::vector<Step>& steps = r.derivations.front().steps;
    EXPECT_EQ(std::count_if(steps.begin(), steps.end(),
                            [](const Step& step) { return step.symbol == "l2.shared_capacity"; }),
              1)
        << name;
  }
}

TEST(Transpose, says_where_the_cost_of_single_words_is_assumed) {
  const auto grade = [](const Gpu& gpu) {
    return text(ask_graded("transpose", gpu, {{"version", "naive"}}), table, "grade");
  };
  EXPECT_EQ(grade(gpu_named("m2090")), "assumed");
  EXPECT_EQ(grade(gpu_named("h100-sxm")), "inherited") << "the same chip as the H200";
}

TEST(Transpose, what_cannot_run_is_left_out_of_the_ladder_and_refused_alone) {
  const Table rungs = table_of(ask("transpose", gpu_named("gtx280"), {{"n", "4000"}}), table);
  EXPECT_EQ(rungs.rows(), 7); // a tile of 64 x 64 and no tensor copies
  const auto error = [](const char* gpu, const Words& options) {
    return error_of([&] { ask("transpose", gpu_named(gpu), options); });
  };
  EXPECT_NE(error("gtx280", {{"version", "vectorised"}}).find("shared memory"), std::string::npos);
  EXPECT_EQ(error("v100", {{"version", "tensor-copy"}}),
            "v100 has no tensor memory accelerator: that came with compute capability 9.0");
  EXPECT_EQ(error("h200", {{"version", "tensor-copy"}, {"n", "4001"}}),
            "--n 4001: tensor copies need rows of a multiple of 16 bytes");
  EXPECT_EQ(error("gtx280", {{"n", "20000"}}),
            "--n 20000: two matrices, 3.2 GB, do not fit the 1.074 GB of gtx280");
  EXPECT_NE(error("h200", {{"n", "0"}}), "");
  for (const char* n : {"1", "5", "97", "1021"}) EXPECT_GT(value(h200(), "vectorised", n, "time"), 0);
}

} // namespace perfmodel::transpose_test
