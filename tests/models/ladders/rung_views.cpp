#include "models/ladders/rung_views.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace perfmodel::rung_views_test {

constexpr const char *stalls = "why warps do not issue", *pipes = "what is busy", *what_if = "what if";

double gain(const Result& answer, std::string_view version, std::string_view change) {
  const Table& table = table_of(answer, what_if);
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.at("version").text(row) == version && table.at("change").text(row) == change)
      return table.at("launch_gain").number(row);
  throw std::runtime_error("no such row");
}

const std::vector<std::pair<std::string, Words>>& ladders() {
  static const std::vector<std::pair<std::string, Words>> all{{"reduction", {{"n", "1048576"}}},
                                                              {"transpose", {{"n", "1024"}}},
                                                              {"pi", {{"n", "1048576"}}},
                                                              {"suffix-sums", {}}};
  return all;
}

Result shown(const std::string& ladder, Words words, const char* view, const char* gpu = "h200") {
  words.emplace_back("view", view);
  return ask(ladder, measured_gpu(gpu), words);
}

TEST(RungViews, shares_of_a_version_are_of_the_whole) {
  for (const auto& [ladder, words] : ladders()) {
    const Result answer = shown(ladder, words, "all");
    std::map<std::string, double> of_version;
    const Table& why = table_of(answer, stalls);
    for (std::size_t row = 0; row < why.rows(); ++row)
      of_version[why.at("version").text(row)] += why.at("share").number(row);
    EXPECT_GT(of_version.size(), 2u) << ladder;
    for (const auto& [version, share] : of_version) {
      EXPECT_GT(share, 0.5) << ladder << " " << version;
      EXPECT_LE(share, 1 + 1e-9) << ladder << " " << version;
    }
    const Table& busy = table_of(answer, pipes);
    for (std::size_t row = 0; row < busy.rows(); ++row) {
      EXPECT_GT(busy.at("busy").number(row), 0) << ladder;
      EXPECT_LE(busy.at("busy").number(row), 1 + 1e-9) << ladder << " " << busy.at("unit").text(row);
    }
    const Table& instead = table_of(answer, what_if);
    for (std::size_t row = 0; row < instead.rows(); ++row)
      EXPECT_GT(instead.at("launch_gain").number(row), 0.9)
          << ladder << " " << instead.at("version").text(row) << ", " << instead.at("change").text(row);
  }
}

TEST(RungViews, the_summary_has_none_of_them) {
  for (const auto& [ladder, words] : ladders())
    for (const Table& table : shown(ladder, words, "summary").tables)
      EXPECT_TRUE(table.title != stalls && table.title != pipes && table.title != what_if) << ladder;
}

// R. Vuduc, slides 74 to 77: the strided index has bank conflicts, which sequential addressing takes away.
TEST(RungViews, the_conflicts_of_the_strided_index_are_what_sequential_addressing_saves) {
  const Result answer = shown("reduction", {{"n", "1048576"}}, "what-if");
  EXPECT_GT(gain(answer, "strided-index", "no bank conflicts"), 1.1);
  EXPECT_NEAR(gain(answer, "sequential", "no bank conflicts"), 1, 0.01);
  EXPECT_NEAR(gain(answer, "interleaved", "no bank conflicts"), 1, 0.01);
}

// The block that comes last adds up what the others left, whatever is thought away.
TEST(RungViews, what_the_last_block_does_stays) {
  const Result answer = shown("reduction", {{"n", "1048576"}, {"version", "vector"}}, "what-if");
  EXPECT_NEAR(gain(answer, "vector", "accesses side by side"), 1, 0.01);
}

TEST(RungViews, the_naive_transpose_gains_by_accesses_side_by_side) {
  const Result answer = shown("transpose", {{"n", "2048"}}, "what-if");
  EXPECT_GT(gain(answer, "naive", "accesses side by side"), 2);
  EXPECT_GT(gain(answer, "tiled", "no bank conflicts"), 1.3);
  EXPECT_NEAR(gain(answer, "padded", "no bank conflicts"), 1, 0.01);
}

// Counted from the texts that the tool was built with: every version that is simulated has both.
TEST(RungViews, the_machine_code_of_every_version_stands_beside_its_ptx) {
  for (const auto& [ladder, words] : ladders()) {
    const Result answer = shown(ladder, words, "code");
    const Table &code = table_of(answer, "PTX and machine code"),
                &groups = table_of(answer, "PTX and machine code by group");
    EXPECT_GT(code.rows(), 2u) << ladder;
    for (std::size_t row = 0; row < code.rows(); ++row) {
      double ptx = 0, sass = 0;
      for (std::size_t g = 0; g < groups.rows(); ++g)
        if (groups.at("version").text(g) == code.at("version").text(row)) {
          ptx += groups.at("ptx").number(g);
          sass += groups.at("sass").number(g);
        }
      EXPECT_GT(ptx, 10) << ladder;
      EXPECT_EQ(ptx, code.at("ptx").number(row)) << ladder;
      EXPECT_EQ(sass, code.at("sass").number(row)) << ladder;
    }
  }
}

// Harris 2007, and Vuduc 2014, slide 87: of the last warps' steps the loop is mostly overhead; once it is
// unrolled there is none, and fewer instructions are issued.
TEST(RungViews, unrolling_takes_the_loop_away) {
  const Result answer = shown("reduction", {{"n", "1048576"}}, "code");
  const Table& code = table_of(answer, "PTX and machine code");
  double warp = 0, all = 0;
  for (std::size_t row = 0; row < code.rows(); ++row) {
    if (code.at("version").text(row) == "unrolled-warp") warp = code.at("issued").number(row);
    if (code.at("version").text(row) != "unrolled") continue;
    all = code.at("issued").number(row);
    EXPECT_TRUE(std::isnan(code.at("sass_loop").number(row)));
  }
  EXPECT_GT(all, 0);
  EXPECT_LT(all, warp);
}

TEST(RungViews, a_timeline_shows_blocks_one_after_the_other_in_a_place) {
  for (const auto& [ladder, words] : ladders()) {
    const Result answer = shown(ladder, words, "timeline");
    const Table &strips = table_of(answer, "an SM over time"), &slices = table_of(answer, "slices of time");
    EXPECT_GT(slices.rows(), strips.rows()) << ladder;
    for (std::size_t row = 0; row < strips.rows(); ++row) {
      EXPECT_EQ(strips.at("states").text(row).size(), 50u) << ladder;
      EXPECT_LT(strips.at("start").number(row), strips.at("end").number(row)) << ladder;
    }
    for (const Table& table : shown(ladder, words, "all").tables)
      EXPECT_NE(table.title, "an SM over time") << ladder;
  }
}

TEST(RungViews, of_what_is_not_simulated_are_refused) {
  EXPECT_NE(
      error_of([] { shown("transpose", {}, "stalls", "gtx280"); }).find("--view stalls: gtx280 has no L2"),
      std::string::npos);
}

TEST(RungViews, a_verdict_says_which_versions_a_view_lacks_and_why) {
  const auto verdict = [](const std::string& ladder, Words words, const char* view) {
    return shown(ladder, std::move(words), view).verdict.at(0);
  };
  EXPECT_NE(verdict("matmul", {{"n", "64"}}, "stalls")
                .find(" The view lacks tensor-tf32 and tensor-bf16: counted, not simulated."),
            std::string::npos);
  EXPECT_NE(verdict("transpose", {{"n", "128"}}, "pipes").find(" The view lacks tensor-copy: counted, not"),
            std::string::npos);
  EXPECT_EQ(verdict("matmul", {{"n", "64"}}, "summary").find("view lacks"), std::string::npos);
  EXPECT_EQ(verdict("reduction", {{"n", "65536"}}, "stalls").find("view lacks"), std::string::npos);
}

} // namespace perfmodel::rung_views_test
