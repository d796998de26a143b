// Long comparisons are cut to what a reader looks for, and say so; short ones are whole.
#include "program.hpp"

#include "cli/constants_text.hpp"
#include "cli/excerpt/excerpt.hpp"
#include "cli/format.hpp"
#include "cli/text_layout.hpp"
#include "cli/text_lines.hpp"
#include "hwdb/result_file.hpp"
#include "models/core/units.hpp"
#include "models/validation/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::cli::excerpt_test {

using Doubles = std::vector<double>;

using Counts = std::vector<std::int64_t>;

using Texts = std::vector<std::string>;

// A series of `errors`, out of tolerance from 10 % on unless `verdicts` say otherwise.
Table series_of(const Doubles& errors, Texts verdicts = {}, Doubles tolerances = {}) {
  Counts rows;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    rows.push_back(static_cast<std::int64_t>(i));
    if (verdicts.size() <= i) verdicts.push_back(std::fabs(errors[i]) <= 0.1 ? "ok" : "OUT");
    if (tolerances.size() <= i) tolerances.push_back(0.1);
  }
  return {
      .title = "a series",
      .columns = {{.name = "n", .role = Role::key, .cells = rows},
                  {.name = "predicted", .role = Role::predicted, .cells = Doubles(errors.size(), 1)},
                  {.name = "measured", .role = Role::measured, .cells = Doubles(errors.size(), 1)},
                  {.name = "error", .unit = {"fraction", {}}, .role = Role::note, .cells = errors},
                  {.name = "tolerance", .unit = {"fraction", {}}, .role = Role::note, .cells = tolerances},
                  {.name = "verdict", .role = Role::note, .cells = verdicts}},
      .notes = {"measured: by us"}};
}

Counts rows_of(const Table& table) { return std::get<Counts>(table.at("n").cells); }

TEST(Excerpt, a_series_of_24_rows_is_whole_and_one_of_25_is_not) {
  EXPECT_EQ(excerpt(series_of(Doubles(24, 0.01))).rows(), 24u);
  EXPECT_EQ(excerpt(series_of(Doubles(24, 0.01))).notes.size(), 1u);
  EXPECT_EQ(excerpt(series_of(Doubles(25, 0.01))).rows(), 4u);
}

TEST(Excerpt, every_row_out_of_tolerance_is_shown_the_largest_error_first_then_the_worst_of_the_others) {
  Doubles errors(30, 0.01);
  errors[3] = 0.2, errors[7] = -0.5, errors[29] = 0.11, errors[11] = -0.09;
  const Table cut = excerpt(series_of(errors));
  EXPECT_EQ(rows_of(cut), (Counts{7, 3, 29, 11, 0, 1, 2}));
  EXPECT_EQ(cut.notes.front(), "measured: by us");
  EXPECT_EQ(
      cut.notes.back(), // (0.2 + 0.5 + 0.11 + 0.09 + 26 x 0.01) / 30
      "30 rows, 3 out of tolerance (10 %); mean error 3.87 %, worst 50 %. Shown: the 3 that are out and, "
      "of the others, the 4 with the largest error; --all, or --format csv or json, has every row.");
}

TEST(Excerpt, of_many_rows_out_of_tolerance_the_20_furthest_are_shown_and_all_are_counted) {
  Doubles errors(21, 0.3), within(10, 0);
  errors[20] = 0.2;
  errors.insert(errors.end(), within.begin(), within.end());
  const Table cut = excerpt(series_of(errors));
  ASSERT_EQ(cut.rows(), 24u);
  EXPECT_EQ(rows_of(cut)[19], 19);
  EXPECT_EQ(rows_of(cut)[20], 21) << "row 20 is the least of those that are out";
  EXPECT_NE(cut.notes.back().find("31 rows, 21 out of tolerance"), std::string::npos) << cut.notes.back();
  EXPECT_NE(cut.notes.back().find("the 20 furthest out"), std::string::npos) << cut.notes.back();
}

TEST(Excerpt, a_sweep_of_1000_rows_is_whole_and_of_a_longer_one_both_ends_are_shown) {
  const auto sweep = [](std::int64_t rows) {
    Counts n;
    for (std::int64_t i = 0; i < rows; ++i) n.push_back(i);
    return Table{.title = "a sweep", .columns = {{.name = "n", .role = Role::key, .cells = n}}};
  };
  EXPECT_EQ(excerpt(sweep(1000)).rows(), 1000u);
  const Table cut = excerpt(sweep(1001));
  ASSERT_EQ(cut.rows(), 24u);
  EXPECT_EQ(rows_of(cut)[19], 19);
  EXPECT_EQ(rows_of(cut)[20], 997);
  EXPECT_EQ(rows_of(cut)[23], 1000);
  EXPECT_EQ(cut.notes.back(),
            "1001 rows. Shown: the first 20 and the last 4; --all, or --format csv or json, has every row.");
}

TEST(Excerpt, slices_of_a_timeline_are_those_of_the_sm) {
  const Table all{
      .title = "slices of time",
      .columns = {{.name = "of", .role = Role::key, .cells = std::vector<std::string>{"SM", "block 0", "SM"}},
                  {.name = "slice", .role = Role::key, .cells = Counts{1, 1, 2}}}};
  const Table cut = excerpt(all);
  ASSERT_EQ(cut.rows(), 2u);
  EXPECT_EQ(cut.at("of").text(1), "SM");
  EXPECT_EQ(cut.notes.back(),
            "3 rows. Shown: those of the SM; --all, or --format csv or json, has every row.");
}

TEST(Excerpt, of_every_size_of_a_block_on_several_gpus_the_usual_ones_are_shown) {
  const auto curve = [](const std::vector<std::string>& gpus) {
    Table table{.title = "resident on one SM",
                .columns = {{.name = "gpu", .role = Role::key, .cells = std::vector<std::string>{}},
                            {.name = "threads", .role = Role::key, .cells = Doubles{}}}};
    for (const std::string& gpu : gpus)
      for (double threads = 32; threads <= 1024; threads += 32) {
        append(table.columns[0], gpu);
        append(table.columns[1], threads);
      }
    return table;
  };
  EXPECT_EQ(excerpt(curve({"h200"})).rows(), 32u);
  const Table cut = excerpt(curve({"v100", "h200"}));
  ASSERT_EQ(cut.rows(), 12u); // 32 to 1024, twice
  EXPECT_EQ(cut.at("threads").number(3), 256);
}

TEST(Excerpt, a_prediction_that_is_no_number_comes_first) {
  Doubles errors(30, 0.5);
  errors[17] = absent;
  EXPECT_EQ(rows_of(excerpt(series_of(errors))).front(), 17);
}

TEST(Excerpt, rows_that_are_not_scored_do_not_count_as_errors) {
  Doubles errors(30, 0.02);
  Texts verdicts(30, "ok");
  for (std::size_t i = 0; i < 10; ++i) errors[i] = 9, verdicts[i] = i < 4 ? "shown" : "calibration";
  const Table cut = excerpt(series_of(errors, verdicts));
  EXPECT_EQ(rows_of(cut), (Counts{10, 11, 12, 13}));
  EXPECT_EQ(cut.notes.back().substr(0, 93),
            "30 rows, 0 out of tolerance (10 %), 6 of calibration and not scored; mean error 2 %, worst 2 ");
  EXPECT_EQ(excerpt(series_of(errors, Texts(30, "calibration"))).rows(), 4u);
}

TEST(Excerpt, what_a_model_leaves_out_is_counted_and_not_shown) {
  Doubles errors(30, 0.02);
  Texts verdicts(30, "ok");
  for (std::size_t i = 0; i < 3; ++i) errors[i] = absent, verdicts[i] = "left out";
  const Table cut = excerpt(series_of(errors, verdicts));
  EXPECT_EQ(rows_of(cut), (Counts{3, 4, 5, 6}));
  EXPECT_EQ(cut.notes.back().substr(0, 84),
            "30 rows, 0 out of tolerance (10 %), 3 left out and not scored; mean error 2 %, worst");
}

TEST(Excerpt, of_bounds_the_nearest_are_shown_and_no_error_is_told) {
  Doubles errors(30, 3);
  errors[5] = 0.01, errors[6] = -0.2;
  Texts verdicts(30, "ok (at least)");
  verdicts[6] = "OUT";
  const Table cut = excerpt(series_of(errors, verdicts));
  EXPECT_EQ(rows_of(cut), (Counts{6, 5, 0, 1, 2}));
  EXPECT_EQ(cut.notes.back().find("mean error"), std::string::npos) << cut.notes.back();
}

TEST(Excerpt, a_tolerance_that_differs_from_row_to_row_stays_a_column) {
  EXPECT_EQ(excerpt(series_of(Doubles(30, 0.01))).find("tolerance"), nullptr);
  EXPECT_NE(excerpt(series_of(Doubles(30, 0.01), {}, {0.2})).find("tolerance"), nullptr);
}

TEST(Excerpt, what_a_few_rows_have_in_common_is_not_told_of_all) {
  Doubles errors(30, 0);
  errors[0] = 0.5;
  Table table = series_of(errors);
  Texts precision(30, "fp32");
  precision[29] = "fp64";
  table.columns.insert(table.columns.begin(), {.name = "precision", .role = Role::key, .cells = precision});
  const std::string text = to_text({.model = "validate", .tables = {table}}, 100);
  EXPECT_EQ(text.find("(precision fp32)"), std::string::npos) << text;
}

TEST(Excerpt, a_long_prediction_is_no_comparison) {
  Table sweep = series_of(Doubles(30, 0.01));
  sweep.columns.pop_back();
  EXPECT_EQ(excerpt(sweep).rows(), 30u);
}

TEST(Excerpt, the_ledger_loses_the_counts_that_are_zero) {
  Table ledger{.title = "ledger: blind",
               .columns = {{.name = "model", .role = Role::key, .cells = Texts{"a", "b"}},
                           {.name = "scored", .cells = Counts{0, 0}},
                           {.name = "at_least", .cells = Counts{0, 0}},
                           {.name = "out", .cells = Counts{0, 0}}}};
  const Table cut = excerpt(ledger);
  EXPECT_EQ(cut.find("at_least"), nullptr);
  for (const char* kept : {"scored", "out"}) EXPECT_NE(cut.find(kept), nullptr) << kept;
}

// The ledger as wide as it gets: every count, the longest name of a model.
TEST(Excerpt, the_ledger_is_one_table_in_100_columns) {
  Table ledger{
      .title = "ledger: semi-circular",
      .columns = {{.name = "model", .role = Role::key, .cells = Texts(5, "instruction-throughput")},
                  {.name = "quantity", .role = Role::key, .cells = Texts(5, "transactions_per_request")}}};
  for (const char* count : {"scored", "at_least", "out"})
    ledger.columns.push_back({.name = count, .role = Role::note, .cells = Counts(5, 2732)});
  for (const char* size : {"mean_error", "worst_error", "tolerance"})
    ledger.columns.push_back(
        {.name = size, .unit = {"fraction", {}}, .role = Role::note, .cells = Doubles(5, 0.1234)});
  const std::vector<std::string> lines = lines_of(layout(excerpt(ledger), 100, 2));
  ASSERT_EQ(lines.size(), 7u) << "two lines of headings, five of models";
  for (const std::string& line : lines) EXPECT_LE(width_of(line), 100u);
  EXPECT_NE(lines[0].find("mean"), std::string::npos);
  EXPECT_NE(lines[1].find("error"), std::string::npos);
}

TEST(Excerpt, text_and_markdown_are_cut_and_all_undoes_it) {
  const Scratch scratch;
  const auto sweep = [&](const char* file, const char* latency) {
    const std::string path = scratch / file;
    EXPECT_EQ(perfmodel({"littles-law", "--hw", "m2090", "--set", latency, "--set", "clock=1GHz:2GHz:0.02GHz",
                         "-o", path})
                  .code,
              0);
    return path;
  };
  const std::string before = sweep("a.json", "dram.latency=400"), after = sweep("b.json", "dram.latency=500");
  const auto lines = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"compare", before, after});
    return lines_of(perfmodel(more).out).size();
  };
  EXPECT_LT(lines({}), 110u);
  EXPECT_LT(lines({"--format", "markdown"}), 60u);
  EXPECT_GT(lines({"--all"}), 200u);
  EXPECT_GT(lines({"--all", "--format", "markdown"}), 200u);
  EXPECT_EQ(lines({"--format", "csv"}), lines({"--format", "csv", "--all"}));
  EXPECT_GT(lines({"--format", "csv"}), 200u);
}

// A sweep of kernels has a verdict in each row, too, and is no comparison.
TEST(Excerpt, a_roofline_of_many_kernels_is_cut_like_any_sweep) {
  const Answer cut = perfmodel(words("roofline --hw m2090 --intensity 1:20000"));
  EXPECT_LT(lines_of(cut.out).size(), 200u);
  EXPECT_NE(cut.out.find("20000 rows. Shown: the first 20 and the last 4"), cut.out.npos) << cut.out;
  EXPECT_GT(lines_of(perfmodel(words("roofline --hw m2090 --intensity 1:20000 --all")).out).size(), 20'000u);
  EXPECT_GT(lines_of(perfmodel(words("roofline --hw m2090 --intensity 1:20000 --format csv")).out).size(),
            20'000u);
}

} // namespace perfmodel::cli::excerpt_test
