// What 'matmul --show' answers beside the ladder, and gains per line of source.
#include "models/ladders/matmul.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace perfmodel::matmul_shown_test {

Table shown(const char* gpu, const char* show, const char* title, Words options = {}) {
  options.emplace_back("show", show);
  return table_of(ask("matmul", gpu_named(gpu), options), title);
}
Table barriers(const char* gpu, const char* tile, const char* n = "1024") {
  return shown(gpu, "barriers", "without a barrier", {{"tile", tile}, {"n", n}});
}
double of(const Table& rows, const char* column, const char* key, const char* value) {
  return rows.at(column).number(row_of(rows, key, value));
}

// Tiles of 16 x 16, 8 warps of two rows each. A warp loads its own rows of A; of B it needs all 16. Before
// the others have stored, the first of them finds 2 rows and the seventh 14, the last all: 32 lanes x (14 +
// 12 + ... + 2) words in each of four phases. After use the second finds 2 rows of the next phase and the
// last 14, but not behind the last phase: three times. Worked by hand.
TEST(MatmulBarriers, without_either_barrier_seven_of_eight_warps_multiply_wrong_words) {
  const Table rows = barriers("gtx280", "16");
  EXPECT_EQ(of(rows, "wrong", "left_out", "after loading"), 7 * 32);
  EXPECT_EQ(of(rows, "wrong", "left_out", "after use"), 7 * 32);
  EXPECT_EQ(of(rows, "wrong_words", "left_out", "after loading"), 4. * 32 * (14 + 12 + 10 + 8 + 6 + 4 + 2));
  EXPECT_EQ(of(rows, "wrong_words", "left_out", "after use"), 3. * 32 * (14 + 12 + 10 + 8 + 6 + 4 + 2));
  EXPECT_EQ(rows.at("wrong_rows").text(row_of(rows, "left_out", "after loading")), "0 to 13");
  EXPECT_EQ(rows.at("wrong_rows").text(row_of(rows, "left_out", "after use")), "2 to 15");
}

TEST(MatmulBarriers, with_both_barriers_no_order_of_warps_or_threads_is_wrong) {
  for (const char* tile : {"1", "5", "6", "16", "17", "32"}) {
    const Table rows = barriers("h200", tile);
    EXPECT_EQ(of(rows, "wrong", "left_out", "neither"), 0) << tile;
    EXPECT_EQ(of(rows, "wrong_apart", "left_out", "neither"), 0) << tile;
  }
}

// 25 threads are one warp, 36 two.
TEST(MatmulBarriers, a_block_of_one_warp_breaks_only_where_its_lanes_may_go_apart) {
  EXPECT_EQ(of(barriers("m2090", "5"), "wrong", "left_out", "both"), 0);
  EXPECT_TRUE(std::isnan(of(barriers("m2090", "5"), "wrong_apart", "left_out", "both")));
  EXPECT_GT(of(barriers("m2090", "6"), "wrong", "left_out", "after loading"), 0);
  EXPECT_GT(of(barriers("m2090", "6"), "wrong", "left_out", "after use"), 0);
  EXPECT_EQ(of(barriers("v100", "5"), "wrong", "left_out", "both"), 0);
  EXPECT_EQ(of(barriers("v100", "5"), "wrong_apart", "left_out", "both"), 25);
}

// Giorgi, slide 24: the second barrier in phase p guards the load in phase p + 1.
TEST(MatmulBarriers, behind_the_last_phase_nothing_is_guarded) {
  const Table rows = barriers("h200", "16", "16");
  EXPECT_GT(of(rows, "wrong", "left_out", "after loading"), 0);
  EXPECT_EQ(of(rows, "wrong", "left_out", "after use"), 0);
}

// R. Giorgi, Clusters, lesson 30, slide 26: 20 and 44 lines, 17.2 times as fast, 7.8 a line.
TEST(MatmulLines, gain_per_line_is_the_gain_over_how_many_times_the_lines) {
  const Table rows =
      table_of(ask("matmul", gpu_named("gtx260"), {{"lines", "20,44"}, {"n", "128"}}), "versions");
  const std::size_t tiled = row_of(rows, "version", "tiled");
  EXPECT_NEAR(rows.at("gain_per_line").number(tiled) / rows.at("total_gain").number(tiled), 7.8 / 17.2,
              0.002);
  EXPECT_EQ(rows.at("lines").number(tiled), 44);
  EXPECT_TRUE(std::isnan(of(rows, "gain_per_line", "version", "naive"))) << "of nothing before it";
}

TEST(MatmulLines, versions_without_a_count_have_none) {
  const Table rows =
      table_of(ask("matmul", gpu_named("h200"), {{"lines", "20,44"}, {"n", "64"}}), "versions");
  EXPECT_TRUE(std::isnan(of(rows, "lines", "version", "register-tiled")));
  EXPECT_TRUE(std::isnan(of(rows, "gain_per_line", "version", "register-tiled")));
  for (const char* wrong : {"", "20,", "x", "0", "1,2,3,4,5,6", "-3", "1.5"})
    EXPECT_NE(error_of([&] { SourceLines::from_text(wrong); }), "") << wrong;
  EXPECT_EQ(SourceLines::from_text("20,44").text(), "20,44");
}

// The chart of slide 27: untiled below all tiles from 4 x 4 on, and the larger the faster up to 16 x 16.
TEST(MatmulChoices, of_a_gt200_are_those_of_the_lectures_chart) {
  const Table rows = shown("gtx280", "choices", "blocks and tiles", {{"n", "512"}});
  const auto rate = [&](const char* block, const char* version) {
    for (std::size_t i = 0; i < rows.rows(); ++i)
      if (rows.at("block").text(i) == block && rows.at("choice").text(i) == version)
        return rows.at("choice_rate").number(i);
    return absent;
  };
  EXPECT_LT(rate("16x16", "naive"), rate("4x4", "tiled"));
  EXPECT_LT(rate("4x4", "tiled"), rate("8x8", "tiled"));
  EXPECT_LT(rate("8x8", "tiled"), rate("12x12", "tiled"));
  EXPECT_LT(rate("12x12", "tiled"), rate("16x16", "tiled"));
  EXPECT_TRUE(std::isnan(rate("32x32", "tiled")));
  const std::size_t large = row_of(rows, "block", "32x32");
  EXPECT_NE(rows.at("rate_bound").text(large).find("at most 512 threads"), std::string::npos);
}

TEST(MatmulChoices, say_what_a_tile_takes_of_an_sm) {
  const Table rows =
      shown("h200", "choices", "blocks and tiles", {{"version", "tiled"}, {"tile", "20"}, {"n", "128"}});
  EXPECT_EQ(rows.rows(), 6u) << "five and the one that was asked for";
  // Two tiles of 20 x 20 words; 13 warps, of which 64 slots hold four blocks.
  EXPECT_EQ(of(rows, "shared_per_block", "block", "20x20"), 2 * 20 * 20 * 4);
  EXPECT_EQ(of(rows, "blocks_per_sm", "block", "20x20"), 4);
  EXPECT_EQ(of(rows, "warp_slots_used", "block", "20x20"), 4 * 13 / 64.);
}

TEST(MatmulOrder, times_are_those_of_the_versions_asked_for_alone) {
  const Table rows = shown("h200", "order", "order of the fixes", {{"n", "256"}});
  const auto alone = [](Words options) {
    options.emplace_back("n", "256");
    return number(ask("matmul", gpu_named("h200"), options), "versions", "time");
  };
  const auto time = [&](const char* column, const char* first) {
    return of(rows, column, "first_fix", first);
  };
  for (const char* first : {"larger blocks", "tiles in shared memory"}) {
    EXPECT_EQ(time("before", first), alone({{"version", "naive"}, {"block", "4x4"}}));
    EXPECT_EQ(time("after_second", first), alone({{"version", "tiled"}, {"tile", "16"}}));
  }
  EXPECT_EQ(time("after_first", "larger blocks"), alone({{"version", "naive"}, {"block", "16x16"}}));
  EXPECT_EQ(time("after_first", "tiles in shared memory"), alone({{"version", "tiled"}, {"tile", "4"}}));
}

// From 4 x 4 words on a side, tiles load a quarter of the words; in blocks of 16 x 16 a sixteenth.
TEST(MatmulOrder, tiles_gain_more_in_larger_blocks) {
  const Table rows = shown("gtx280", "order", "order of the fixes", {{"n", "256"}});
  EXPECT_GT(of(rows, "second_gain", "first_fix", "larger blocks"),
            1.5 * of(rows, "first_gain", "first_fix", "tiles in shared memory"));
}

TEST(MatmulOrder, says_what_would_help_each_version_most) {
  const Table order = shown("h200", "order", "what would help most", {{"n", "256"}});
  const Table all = table_of(
      ask("matmul", gpu_named("h200"), {{"version", "tiled"}, {"n", "256"}, {"view", "what-if"}}), "what if");
  double most = 0;
  for (std::size_t i = 0; i < all.rows(); ++i) most = std::max(most, all.at("launch_gain").number(i));
  EXPECT_EQ(of(order, "helps_by", "step", "tiled"), most);
}

TEST(MatmulShow, what_does_not_go_together_is_one_sentence) {
  const auto error = [](const Words& options) {
    return error_of([&] { ask("matmul", gpu_named("gtx280"), options); });
  };
  EXPECT_EQ(error({{"show", "barriers"}, {"version", "naive"}}),
            "--show barriers: not of the version 'naive'");
  EXPECT_EQ(error({{"show", "order"}, {"lines", "20,44"}}),
            "--show order: --view, --link and --lines are of the ladder");
  EXPECT_NE(error({{"show", "barriers"}, {"tile", "32"}}).find("at most 512 threads"), std::string::npos);
}

} // namespace perfmodel::matmul_shown_test
