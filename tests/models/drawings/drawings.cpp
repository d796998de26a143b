// Drawings hold what the models count: a picture that says something else than the table would be worse than
// none.
#include "drawn.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace perfmodel::drawings_test {

using namespace drawn_for_tests;

std::vector<std::string> texts_of_row(const Drawing& d, const std::string& name) {
  const auto row = std::find_if(d.rows.begin(), d.rows.end(), [&](const auto& r) { return r.text == name; });
  std::vector<std::string> texts;
  for (const Drawing::Cell& cell : d.cells)
    if (row != d.rows.end() && std::fabs(cell.top + cell.height / 2 - row->at) < 1e-9)
      texts.push_back(cell.text);
  return texts;
}

double table_value(const std::string& of, const std::string& gpu, const Words& options, const char* column) {
  const Result result = ask(of, gpu_named(gpu), options);
  for (const Table& table : result.tables)
    if (const Column* c = table.find(column)) return c->number(0);
  return absent;
}

TEST(Drawings, every_one_is_of_a_model_and_its_cells_lie_inside_it) {
  for (const DrawingKind& kind : drawings()) {
    if (kind.name == "timeline" || kind.model == "message") continue; // of a version or a file
    const std::string of(kind.model);
    const Words options = kind.name == "lanes" ? Words{{"if", "lane < 3"}} : Words{};
    const Drawing d = drawn(of, std::string(kind.name), "gtx280", options);
    EXPECT_FALSE(d.cells.empty()) << of;
    EXPECT_FALSE(d.verdict.empty()) << of;
    for (const Drawing::Cell& cell : d.cells) {
      EXPECT_GE(cell.left, -1e-9) << of << " " << cell.title;
      EXPECT_LE(cell.left + cell.width, d.width * (1 + 1e-9)) << of << " " << cell.title;
      EXPECT_GE(cell.top, -1e-9) << of << " " << cell.title;
      EXPECT_LE(cell.top + cell.height, d.height * (1 + 1e-9)) << of << " " << cell.title;
      ASSERT_LT(cell.kind, d.kinds.size());
    }
  }
}

// J. Verschelde, "Warps and Reduction Algorithms": 32 numbers leave 528, 527, 525, 522, ..
TEST(Drawings, a_tree_has_the_sums_of_the_models_steps) {
  const Drawing d = drawn("reduction", "tree", "m2090", {{"n", "32"}, {"version", "warp-synchronous"}});
  const std::vector<std::string> last = texts_of_row(d, "after step 5");
  ASSERT_GE(last.size(), 4u);
  EXPECT_EQ(std::vector(last.begin(), last.begin() + 4),
            (std::vector<std::string>{"528", "527", "525", "522"}));
}

TEST(Drawings, a_tree_of_16_numbers_has_8_4_2_and_1_threads_that_add_in_every_version) {
  for (const char* version : {"interleaved", "strided-index", "sequential", "first-add"}) {
    const Drawing d = drawn("reduction", "tree", "m2090", {{"version", version}});
    std::map<double, int> threads; // by row
    for (const Drawing::Cell& cell : of_kind(d, "a thread that adds")) ++threads[cell.top];
    std::vector<int> counts;
    for (const auto& [top, count] : threads) counts.push_back(count);
    EXPECT_EQ(counts, (std::vector{8, 4, 2, 1})) << version;
    EXPECT_EQ(texts_of_row(d, "after step 4").front(), "136") << version;
    EXPECT_EQ(d.arrows.size(), 3u * 15) << version; // two into each addition, one out
  }
}

TEST(Drawings, a_trees_threads_are_those_that_the_version_lets_add) {
  EXPECT_EQ(texts_of_row(drawn("reduction", "tree", "m2090", {}), "step 1: threads"),
            (std::vector<std::string>{"0", "2", "4", "6", "8", "10", "12", "14"}));
  EXPECT_EQ(
      texts_of_row(drawn("reduction", "tree", "m2090", {{"version", "strided-index"}}), "step 1: threads"),
      (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7"}));
}

TEST(Drawings, a_tournament_ends_with_the_greatest) {
  const Drawing d = drawn("reduction", "tree", "m2090", {{"type", "max"}, {"n", "8"}});
  EXPECT_EQ(texts_of_row(d, "after step 3").front(), "8");
}

TEST(Drawings, as_many_segments_are_drawn_as_the_model_counts_in_its_first_warp) {
  for (const char* gpu : {"8800gtx", "gtx280", "m2090", "h200"})
    for (const auto& [stride, offset, word] : {std::tuple{"1", "0", "4"},
                                               {"1", "1", "4"},
                                               {"2", "0", "4"},
                                               {"32", "0", "4"},
                                               {"1", "0", "16"},
                                               {"0", "0", "4"},
                                               {"1", "3", "1"}}) {
      const Words options{
          {"stride", stride}, {"offset", offset}, {"word", word}, {"block", "32"}, {"grid", "1"}};
      const Drawing d = drawn("coalescing", "segments", gpu, options);
      const auto transactions = static_cast<double>(of_kind(d, "a transaction: a segment").size() +
                                                    of_kind(d, "a transaction: a sector or line").size());
      EXPECT_EQ(transactions, table_value("coalescing", gpu, options, "transactions"))
          << gpu << " stride " << stride << " offset " << offset << " word " << word;
      EXPECT_EQ(d.arrows.size(), 32u) << gpu << " stride " << stride; // each lane has its word
    }
}

TEST(Drawings, the_deepest_bank_has_as_many_words_as_the_model_has_degrees) {
  for (const char* gpu : {"m2090", "h200"})
    for (const char* stride : {"1", "2", "3", "8", "16", "32", "33"}) {
      const Words options{{"stride", stride}};
      const Drawing d = drawn("bank-conflicts", "banks", gpu, options);
      std::map<double, std::set<double>> rows; // of a bank
      for (const char* kind : {"a word, first of its bank", "another word of the same bank"})
        for (const Drawing::Cell& cell : of_kind(d, kind)) rows[cell.left].insert(cell.top);
      std::size_t deepest = 0;
      for (const auto& [bank, tops] : rows) deepest = std::max(deepest, tops.size());
      EXPECT_EQ(static_cast<double>(deepest), table_value("bank-conflicts", gpu, options, "degree"))
          << gpu << " stride " << stride;
    }
}

TEST(Drawings, a_warp_has_as_many_passes_as_the_model_counts) {
  for (const Words& question :
       {Words{{"if", "lane < 3"}}, Words{{"if", "lane < 3"}, {"else", "nothing"}},
        Words{{"path", "lane % 4"}}, Words{{"trips", "6 + lane % 2"}}, Words{{"if", "tid < 32"}},
        Words{{"if", "lane % 2"}, {"trips", "lane % 3"}}}) {
    Words options = question;
    options.emplace_back("block", "32");
    const Drawing d = drawn("divergence", "lanes", "h200", options);
    EXPECT_EQ(static_cast<double>(d.rows.size()), table_value("divergence", "h200", options, "passes"))
        << question.front().second;
    const auto working = static_cast<double>(
        std::count_if(d.cells.begin(), d.cells.end(), [](const auto& c) { return c.kind != 0; }));
    EXPECT_NEAR(working / 32 / static_cast<double>(d.rows.size()),
                table_value("divergence", "h200", options, "simt_efficiency"), 1e-12)
        << question.front().second;
  }
}

TEST(Drawings, of_several_warps_the_first_that_diverges_is_shown) {
  const Drawing d = drawn("divergence", "lanes", "h200", {{"if", "tid < 40"}, {"block", "128"}});
  EXPECT_EQ(d.rows.size(), 2u);
  EXPECT_NE(d.verdict.front().find("Warp 1 of block 0"), std::string::npos) << d.verdict.front();
}

// NVIDIA's teaching kit, module 5.2: 336 and 14 of 2944 warp-phases, 42 blocks of type 1 and 7 of type 2.
TEST(Drawings, the_blocks_of_a_boundary_check_add_up_to_the_teaching_kits_350) {
  const Drawing d = drawn("divergence", "blocks", "h200", {{"width", "100"}, {"tile", "16"}});
  double sum = 0;
  std::map<std::size_t, int> blocks;
  for (const Drawing::Cell& cell : d.cells)
    if (!cell.text.empty()) sum += std::stod(cell.text), ++blocks[cell.kind];
  EXPECT_EQ(sum, 350);
  EXPECT_EQ(blocks, (std::map<std::size_t, int>{{0, 42}, {1, 7}}));
}

// Filipovic 2010: rows of 512 words have all blocks of a column in one partition of a GT200.
TEST(Drawings, a_column_of_tiles_camps_in_one_partition_and_along_diagonals_in_all) {
  for (const auto& [mapping, partitions] : {std::pair{"cartesian", 1u}, {"diagonal", 8u}}) {
    const Drawing d = drawn("partition-camping", "map", "gtx280", {{"n", "4096"}, {"mapping", mapping}});
    std::set<std::string> first_column;
    for (const Drawing::Cell& cell : d.cells)
      if (cell.left == 0) first_column.insert(cell.text);
    EXPECT_EQ(first_column.size(), partitions) << mapping;
  }
}

TEST(Drawings, a_map_of_hashed_partitions_is_refused) {
  EXPECT_THROW(drawn("partition-camping", "map", "h200", {}), InputError);
}

TEST(Drawings, the_staircase_has_the_models_bandwidths) {
  const Drawing d = drawn("operand-bandwidth", "staircase", "gtx480", {});
  const Result result = ask("operand-bandwidth", gpu_named("gtx480"), {});
  std::vector<double> bandwidths, drawn_widths;
  for (const Table& table : result.tables)
    if (const Column* c = table.find("bandwidth"))
      for (std::size_t row = 0; row < c->size(); ++row) bandwidths.push_back(c->number(row));
  for (const Drawing::Cell& cell : d.cells) drawn_widths.push_back(cell.width);
  EXPECT_EQ(drawn_widths, bandwidths);
}

// M. Harris, Optimizing Parallel Reduction in CUDA, 2007, slide 8: interleaved addressing leaves 41.
TEST(Drawings, a_tree_adds_the_numbers_that_are_given) {
  const Words given{{"values", "10,1,8,-1,0,-2,3,5,-2,-3,2,7,0,11,0,2"}};
  const Drawing d = drawn("reduction", "tree", "m2090", given);
  EXPECT_EQ(texts_of_row(d, "numbers"),
            (std::vector<std::string>{"10", "1", "8", "-1", "0", "-2", "3", "5", "-2", "-3", "2", "7", "0",
                                      "11", "0", "2"}));
  const std::vector<std::string> first = texts_of_row(d, "after step 1");
  EXPECT_EQ(std::vector(first.begin(), first.begin() + 4), (std::vector<std::string>{"11", "1", "7", "-1"}));
  EXPECT_EQ(texts_of_row(d, "after step 4").front(), "41");
}

TEST(Drawings, numbers_that_are_none_and_numbers_without_a_picture_are_refused) {
  const auto refusal = [](const Words& options, bool picture) -> std::string {
    try {
      if (picture)
        drawn("reduction", "tree", "m2090", options);
      else
        ask("reduction", gpu_named("m2090"), options);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(refusal({{"values", "1,two"}}, true).find("'two' is no whole number"), std::string::npos);
  EXPECT_NE(refusal({{"values", "1,2,3"}, {"n", "4"}}, true).find("--values has 3 numbers"),
            std::string::npos);
  EXPECT_NE(refusal({{"values", "1,2,3"}}, false).find("--draw tree"), std::string::npos);
}

TEST(Drawings, of_a_sweep_or_an_unknown_name_are_refused_in_a_sentence) {
  const auto refusal = [](const std::string& name, const Words& options) -> std::string {
    try {
      drawn("coalescing", name, "h200", options);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("segments", {{"stride", "1,2"}}),
            "--draw segments is of one question: --stride has 2 values");
  EXPECT_EQ(refusal("segmnts", {}),
            "--draw: coalescing has no drawing 'segmnts' (did you mean 'segments'?); it has segments");
}

TEST(Drawings, are_tables_for_who_cannot_see_them) {
  const Result r = as_result(drawn("reduction", "tree", "m2090", {{"n", "4"}}));
  ASSERT_EQ(r.tables.size(), 1u);
  EXPECT_EQ(r.tables[0].at("row").text(0), "numbers");
  EXPECT_EQ(r.tables[0].at("shows").text(0), "1");
}

} // namespace perfmodel::drawings_test
