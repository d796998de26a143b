// Which picture a sweep asks for, on the models there are and on a ladder made up here.
#include "models/core/chart_choice.hpp"
#include "models/core/erase.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

namespace perfmodel::chart_choice_test {

// Rungs 0 to 2 take n, n / 2, n / 4 seconds; `width` changes nothing.
struct Ladder {
  static constexpr ModelInfo info{.name = "ladder",
                                  .summary = "toy",
                                  .chart = ChartKind::bars,
                                  .x = "rung",
                                  .y = "time",
                                  .log_y = true,
                                  .steps = true};
  struct Input {
    double n = 8, width = 1, blocks = 1;
    static void fields(auto& field) {
      field(&Input::n, "n", "elements");
      field(&Input::width, "width", "of nothing");
      field(&Input::blocks, "blocks", "of waves");
    }
  };
  struct Row {
    static constexpr std::string_view title = "rungs";
    double rung = 0;
    double same = 1;
    Seconds time;
    double waves = 1;
    static void fields(auto& field) {
      field(&Row::rung, "rung", "rung", Range::any, Role::key);
      field(&Row::same, "same", "one");
      field(&Row::time, "time", "time of the rung");
      field(&Row::waves, "waves", "one for each block");
    }
  };
  template <class T> static std::vector<Row> predict(const Gpu&, const Input& in, T&) {
    return {{0, 1, Seconds(in.n), in.blocks},
            {1, 1, Seconds(in.n / 2), in.blocks},
            {2, 1, Seconds(in.n / 4), in.blocks}};
  }
  static std::string verdict(const Gpu&, const Input&, const std::vector<Row>&) { return "A toy."; }
};

ChartChoice ladder(const Words& options) {
  static const Model model = erase<Ladder>();
  const Gpu gpu = toy();
  return predict(model, std::span(&gpu, 1), request_of(model, options)).chart;
}
ChartChoice littles_law(const Words& options) { return ask("littles-law", toy(), options).chart; }

TEST(ChartChoice, without_a_sweep_it_is_the_models_own) {
  const ChartChoice c = littles_law({});
  EXPECT_EQ(c.x, "ilp");
  EXPECT_EQ(c.y, "threads");
  EXPECT_EQ(c.series, "gpu");
  EXPECT_FALSE(c.log_x);
}

TEST(ChartChoice, a_sweep_of_the_models_own_x_keeps_it_whatever_else_is_swept) {
  const ChartChoice c = littles_law({{"ilp", "1,2"}, {"loads", "1:8"}});
  EXPECT_EQ(c.x, "ilp");
  EXPECT_EQ(c.y, "threads");
}

TEST(ChartChoice, another_input_that_is_swept_becomes_x_and_y_what_depends_on_it) {
  const ChartChoice c = littles_law({{"loads", "1:8"}});
  EXPECT_EQ(c.kind, ChartKind::lines);
  EXPECT_EQ(c.x, "loads");
  EXPECT_EQ(c.y, "memory_threads") << "the threads that arithmetic needs do not depend on loads";
}

TEST(ChartChoice, of_two_swept_inputs_the_longer_is_x_and_the_other_tells_lines_apart) {
  for (const Words& words :
       {Words{{"word", "4,8,16"}, {"loads", "1:8"}}, Words{{"loads", "1:8"}, {"word", "4,8,16"}}}) {
    EXPECT_EQ(littles_law(words).x, "loads");
    EXPECT_EQ(littles_law(words).series, "word");
  }
}

TEST(ChartChoice, a_word_is_never_x_but_tells_lines_apart) {
  const ChartChoice c = littles_law({{"basis", "spec,measured"}, {"loads", "1,2"}});
  EXPECT_EQ(c.x, "loads");
  EXPECT_EQ(c.series, "basis");
}

TEST(ChartChoice, a_swept_fact_is_an_x_like_an_input) {
  const Gpu gpu = toy();
  Request request;
  request.facts.push_back({"dram.bandwidth", {{1e11}, {2e11}, {3e11}}});
  EXPECT_EQ(predict(model("littles-law"), std::span(&gpu, 1), request).chart.x, "dram.bandwidth");
}

TEST(ChartChoice, x_is_logarithmic_where_its_values_grow_by_a_factor) {
  EXPECT_TRUE(littles_law({{"ilp", "1,2,4,8"}}).log_x);
  EXPECT_FALSE(littles_law({{"ilp", "1,2,3,4"}}).log_x);
  EXPECT_FALSE(littles_law({{"ilp", "1,2"}}).log_x) << "two values grow by any rule";
  EXPECT_TRUE(littles_law({{"loads", "1:64:*2"}}).log_x);
}

TEST(ChartChoice, a_ladder_of_two_sizes_stays_a_ladder_and_of_three_becomes_lines) {
  EXPECT_EQ(ladder({{"n", "8,16"}}).x, "rung");
  EXPECT_EQ(ladder({{"n", "8,16"}}).kind, ChartKind::bars);
  const ChartChoice c = ladder({{"n", "8,16,24"}});
  EXPECT_EQ(c.x, "n");
  EXPECT_EQ(c.y, "time") << "'same' stands before it and does not depend on n";
  EXPECT_EQ(c.kind, ChartKind::lines);
  EXPECT_TRUE(c.steps) << "the model's own y";
}

// `blocks` does not move the time, so the chart shows what it moves, and that is no staircase.
TEST(ChartChoice, another_y_is_no_staircase) {
  const ChartChoice c = ladder({{"blocks", "1:9"}});
  EXPECT_EQ(c.y, "waves");
  EXPECT_FALSE(c.steps);
}

TEST(ChartChoice, what_changes_nothing_is_no_x) { EXPECT_EQ(ladder({{"width", "1:9"}}).x, "rung"); }

ChartChoice divergence(const Words& options) { return ask("divergence", gpu_named("h200"), options).chart; }

TEST(ChartChoice, names_of_let_are_axes_of_their_own) {
  const Words words{{"if", "tid < n * m"}, {"let", "m=1,2,n=1:64:*2"}};
  EXPECT_EQ(divergence(words).x, "n");
  EXPECT_EQ(divergence(words).series, "m");
  EXPECT_TRUE(divergence(words).log_x);
  const Table table = ask("divergence", gpu_named("h200"), words).tables.front();
  EXPECT_EQ(table.at("n").number(6), 64);
  EXPECT_EQ(table.at("m").number(7), 2);
  EXPECT_EQ(table.find("let"), nullptr) << "instead of a text";
  EXPECT_EQ(divergence({{"if", "tid < active"}, {"let", "active=1:64"}}).x, "let.active")
      << "a column has that name already";
}

// No width was asked about: the key is not there, and the chart is of something else.
TEST(ChartChoice, without_the_models_own_x_is_over_the_steps_or_a_bar) {
  const Words reduction{{"kernel", "reduction-interleaved"}, {"block", "1024"}};
  EXPECT_EQ(divergence(reduction).x, "step");
  EXPECT_EQ(divergence(reduction).y, "fraction");
  EXPECT_EQ(ask("divergence", gpu_named("h200"), reduction).tables.front().find("width"), nullptr);
  EXPECT_EQ(divergence({{"if", "tid < 3"}}).kind, ChartKind::bars);
  EXPECT_EQ(divergence({{"if", "tid < 3"}}).x, "gpu");
  EXPECT_EQ(divergence({{"width", "100:120"}}).x, "width");
}

// The rate of a GT200's division is published, what it is made of is not: no pipes are there to draw.
TEST(ChartChoice, of_an_answer_without_the_models_own_table_its_first_number_is_drawn) {
  const ChartChoice c = ask("instruction-throughput", gpu_named("gtx280"), Words{{"class", "fdiv"}}).chart;
  EXPECT_EQ(c.kind, ChartKind::bars);
  EXPECT_EQ(c.y, "throughput");
}

// Times from 1 / 4 s: up to 24 s is less than a hundredfold, up to 26 s more.
TEST(ChartChoice, y_is_logarithmic_from_a_hundredfold) {
  EXPECT_FALSE(ladder({{"n", "1,2,24"}}).log_y);
  EXPECT_TRUE(ladder({{"n", "1,2,26"}}).log_y);
}

// The answer to a fuller question has another picture.
TEST(ChartChoice, a_kernel_beside_the_copies_shows_what_is_left_of_its_gain) {
  const auto choice = [](const Words& options) { return ask("transfer", gpu_named("h200"), options).chart; };
  EXPECT_EQ(choice({{"bytes", "1MB:1GB:*2"}}).y, "time");
  const Words gain{{"bytes", "1MB:1GB:*2"}, {"before", "100ms"}, {"after", "5ms"}};
  EXPECT_EQ(choice(gain).x, "bytes");
  EXPECT_EQ(choice(gain).y, "kernel_gain,total_gain");
  const Words faster{{"before", "100ms"}, {"after", "1ms:100ms:*1.3"}};
  EXPECT_EQ(choice(faster).x, "after");
  EXPECT_EQ(choice(faster).y, "kernel_gain,total_gain");
}

TEST(ChartChoice, another_y_is_logarithmic_where_its_numbers_are) {
  const Result r = ask("energy", gpu_named("h200"));
  ChartChoice choice = r.chart;
  ASSERT_TRUE(choice.log_y);
  choose_y(choice, r, "power");
  EXPECT_FALSE(choice.log_y);
  choose_y(choice, r, "of_peak,arch_line");
  EXPECT_TRUE(choice.log_y);
}

TEST(ChartChoice, lines_of_one_point_each_are_a_bar_for_each) {
  const ChartChoice one = ask("work-depth", gpu_named("h200"), {}).chart;
  EXPECT_EQ(one.kind, ChartKind::bars);
  EXPECT_EQ(one.x, "algorithm");
  EXPECT_EQ(one.series, "");
  const ChartChoice swept = ask("work-depth", gpu_named("h200"), {{"n", "10,100,1000"}}).chart;
  EXPECT_EQ(swept.kind, ChartKind::lines);
  EXPECT_EQ(swept.x, "n");
  EXPECT_EQ(swept.series, "algorithm");
}

} // namespace perfmodel::chart_choice_test
