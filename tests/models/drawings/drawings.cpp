// Drawings hold what the models count: a picture that says something else than the table would be worse than
// none.
#include "models/drawings/drawings.hpp"

#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace perfmodel::drawings_test {

Drawing drawn(const std::string& of, const std::string& name, const std::string& gpu, const Words& options) {
  return draw(of, name, gpu_named(gpu), request_of(model(of), options));
}

std::vector<Drawing::Cell> of_kind(const Drawing& d, const std::string& kind) {
  std::vector<Drawing::Cell> cells;
  for (const Drawing::Cell& cell : d.cells)
    if (d.kinds[cell.kind].name == kind) cells.push_back(cell);
  return cells;
}

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

constexpr const char* two_sends = R"(rank 0
a = 10
send a to 1
receive c from 1
rank 1
receive b from 0
send b + 1 to 0
)";

Drawing of_program(const std::string& text, const char* sends = "synchronous") {
  Request request =
      request_of(model("message"), {{"latency", "5us"}, {"bandwidth", "10GB/s"}, {"sends", sends}});
  request.inputs.push_back({"program", {{.text = text}}});
  return draw("message", "messages", Gpu{}, request);
}

TEST(Drawings, messages_leave_and_arrive_when_the_run_says) {
  const Drawing d = of_program(two_sends);
  ASSERT_EQ(d.arrows.size(), 2u);
  EXPECT_LT(d.arrows[0].from_y, d.arrows[0].to_y); // down to rank 1, and back
  EXPECT_GT(d.arrows[1].from_y, d.arrows[1].to_y);
  const double transfer = 5e-6 + 4 / 10e9;
  for (const Drawing::Arrow& arrow : d.arrows) EXPECT_NEAR(arrow.to_x - arrow.from_x, transfer, 1e-15);
  EXPECT_NEAR(d.arrows[1].to_x, d.width, 1e-15); // the last thing that happens
  EXPECT_EQ(d.title, "Messages over time: 2 ranks, each send waits until it is received");
  EXPECT_EQ(of_program(two_sends, "buffered").title,
            "Messages over time: 2 ranks, no send waits to be received");
}

// The statement says it, whatever --sends says of others.
TEST(Drawings, of_messages_say_which_sends_wait) {
  const std::string none = "rank 0\nbsend 1 to 1\nreceive b from 1\nrank 1\nbsend 2 to 0\nreceive d from 0\n";
  EXPECT_EQ(of_program(none).title, "Messages over time: 2 ranks, no send waits to be received");
  const std::string some = "rank 0\nbsend 1 to 1\nreceive b from 1\nrank 1\nreceive d from 0\nsend 2 to 0\n";
  EXPECT_EQ(of_program(some).title, "Messages over time: 2 ranks, some sends wait until they are received");
}

// From which rank to which, of the arrows past the end.
std::vector<std::pair<std::string, std::string>> waits_drawn(const Drawing& d) {
  std::vector<std::pair<std::string, std::string>> waits;
  const auto rank_at = [&](double y) {
    const auto row =
        std::find_if(d.rows.begin(), d.rows.end(), [&](const auto& r) { return std::fabs(r.at - y) < 1e-9; });
    return row == d.rows.end() ? std::string() : row->text;
  };
  for (const Drawing::Arrow& arrow : d.arrows)
    if (!arrow.line && arrow.from_x == arrow.to_x)
      waits.emplace_back(rank_at(arrow.from_y), rank_at(arrow.to_y));
  return waits;
}

TEST(Drawings, an_arrow_leads_to_whom_a_rank_waits_for_and_where_no_time_passed_there_is_no_scale) {
  const Drawing d =
      of_program("rank 0\nsend 1 to 1\nreceive x from 1\nrank 1\nsend 2 to 0\nreceive x from 0\n");
  EXPECT_EQ(of_kind(d, "waits for ever").size(), 2u);
  EXPECT_EQ(waits_drawn(d),
            (std::vector<std::pair<std::string, std::string>>{{"rank 0", "rank 1"}, {"rank 1", "rank 0"}}));
  EXPECT_EQ(d.across, "");
  EXPECT_NE(d.verdict.front().find("rank 0 for rank 1, rank 1 for rank 0"), std::string::npos)
      << d.verdict.front();
}

TEST(Drawings, the_scale_ends_with_what_happens_and_no_end_is_told_of_who_waits_for_ever) {
  const Drawing d = of_program("rank 0\ncompute 10us\nreceive x from 1\nrank 1\ncompute 3us\n");
  EXPECT_DOUBLE_EQ(d.scale_to, 10e-6);
  EXPECT_GT(d.width, d.scale_to);
  EXPECT_EQ(waits_drawn(d), (std::vector<std::pair<std::string, std::string>>{{"rank 0", "rank 1"}}));
  EXPECT_EQ(of_kind(d, "has ended").size(), 1u);
  const Result table = as_result(d);
  for (std::size_t row = 0; row < table.tables[0].rows(); ++row)
    EXPECT_EQ(std::isnan(table.tables[0].at("to").number(row)), d.cells[row].open) << d.cells[row].title;
}

TEST(Drawings, of_very_many_waits_each_rank_has_one_arrow) {
  const std::string text = "ranks 8\nrank 1..7\nreceive x from (rank + 1) % 8\nrank all\nbarrier\n";
  const Drawing d = of_program(text);
  EXPECT_EQ(waits_drawn(d).size(), 14u); // rank 0 waits for all others: few enough
  const Drawing many = of_program("ranks 20\nrank 1..19\nreceive x from 0\nrank 0\nbarrier\n");
  EXPECT_EQ(waits_drawn(many).size(), 20u);
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

TEST(Drawings, a_version_of_a_ladder_has_the_timeline_of_its_view) {
  const Words options{{"view", "timeline"}, {"version", "sequential"}, {"n", "65536"}};
  const Drawing d = drawn("reduction", "timeline", "h200", options);
  const Result result = ask("reduction", gpu_named("h200"), options);
  const auto strips = std::find_if(result.tables.begin(), result.tables.end(),
                                   [](const Table& t) { return t.title == "an SM over time"; });
  ASSERT_NE(strips, result.tables.end());
  ASSERT_EQ(d.rows.size(), strips->rows());
  EXPECT_NE(d.title.find("reduction sequential"), std::string::npos) << d.title;
  EXPECT_THROW(drawn("reduction", "timeline", "h200", {{"n", "65536"}}), InputError) << "of which version";
}

TEST(Drawings, a_timeline_covers_every_block_and_warp_of_the_view) {
  const Words options{{"view", "timeline"}, {"grid", "2048"}};
  const Drawing d = drawn("kernel", "timeline", "m2090", options);
  const Result result = ask("kernel", gpu_named("m2090"), options);
  const auto strips = std::find_if(result.tables.begin(), result.tables.end(),
                                   [](const Table& t) { return t.title == "an SM over time"; });
  ASSERT_NE(strips, result.tables.end());
  ASSERT_EQ(d.rows.size(), strips->rows());
  for (std::size_t row = 0; row < strips->rows(); ++row)
    EXPECT_EQ(d.rows[row].text, strips->at("of").text(row));
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
