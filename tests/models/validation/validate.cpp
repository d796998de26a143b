// How a row is judged, and what is set aside.
#include "judged_series.hpp"

#include "tests/models/error_of.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace perfmodel::validate_test {

TEST(Validate, the_error_is_positive_when_too_much_was_predicted) {
  EXPECT_DOUBLE_EQ(error_in(judged(balance_of(8, 1))), 0.25);
  EXPECT_DOUBLE_EQ(error_in(judged(balance_of(12.5, 1))), -0.2);
  EXPECT_DOUBLE_EQ(error_in(judged(balance_of(10, 1))), 0);
}

TEST(Validate, the_tolerance_itself_is_still_in) {
  EXPECT_EQ(verdict(judged(balance_of(8, 0.25))), "ok");
  EXPECT_EQ(verdict(judged(balance_of(8, 0.2499))), "OUT");
  EXPECT_EQ(verdict(judged(balance_of(12.5, 0.2))), "ok");
  EXPECT_EQ(verdict(judged(balance_of(12.5, 0.1999))), "OUT");
}

TEST(Validate, a_count_of_nothing_is_right_when_nothing_was_counted) {
  Gpu idle = toy();
  idle.facts["throughput.fp32_fma"].values = {0};
  EXPECT_EQ(error_in(judged(balance_of(0, 0.01), idle)), 0);
  EXPECT_EQ(verdict(judged(balance_of(0, 0.01), idle)), "ok");
  EXPECT_EQ(verdict(judged(balance_of(1, 0.01), idle)), "OUT");
}

TEST(Validate, without_a_tolerance_of_the_series_the_models_counts) {
  EXPECT_DOUBLE_EQ(judged(balance_of(10, absent)).tables[0].at("tolerance").number(0), 0.01);
  EXPECT_EQ(verdict(judged(balance_of(9.9, absent))), "OUT") << "10 / 9.9 is 1.01 % too much";
  EXPECT_EQ(verdict(judged(balance_of(9.91, absent))), "ok");
}

TEST(Validate, the_roofline_is_held_tighter_away_from_the_ridge) {
  EXPECT_DOUBLE_EQ(judged(roof_at(1, 1e11)).tables[0].at("tolerance").number(0), 1 / 0.95 - 1);
  EXPECT_DOUBLE_EQ(judged(roof_at(10, 1e12)).tables[0].at("tolerance").number(0), 1 / 0.86 - 1);
  EXPECT_EQ(verdict(judged(roof_at(10, 0.87e12))), "ok");
  EXPECT_EQ(verdict(judged(roof_at(10, 0.85e12))), "OUT");
  EXPECT_EQ(verdict(judged(roof_at(1, 0.96e11))), "ok");
  EXPECT_EQ(verdict(judged(roof_at(1, 0.94e11))), "OUT");
}

TEST(Validate, a_series_of_no_model_and_one_that_is_an_input_are_listed_and_not_scored) {
  Series uncovered = balance_of(1, 0.01), input = balance_of(2, 0.01);
  uncovered.model = "divergence";
  input.is_input = true;
  const Series both[] = {uncovered, input};
  const Result r = validate(toy(), both);
  const Table& aside = table_of(r, "not scored");
  ASSERT_EQ(aside.rows(), 2u);
  EXPECT_EQ(aside.at("model").text(0), "divergence");
  EXPECT_EQ(aside.at("why").text(0), "no model");
  EXPECT_EQ(aside.at("why").text(1), "input");
  EXPECT_EQ(score_of(r).scored, 0u);
  EXPECT_EQ(score_of(r).out, 0u);
}

TEST(Validate, at_least_is_judged_and_counts_no_error) {
  Series series = balance_of(10, absent);
  series.at_least = true;
  EXPECT_EQ(verdict(judged(series)), "ok (at least)") << "exactly as much is enough";
  series.table.columns[2].cells = Doubles{4};
  const Result above = judged(series);
  EXPECT_EQ(verdict(above), "ok (at least)");
  EXPECT_TRUE(std::isnan(table_of(above, "ledger: blind").at("mean_error").number(0)));
  EXPECT_EQ(table_of(above, "ledger: blind").at("at_least").number(0), 1);
  EXPECT_EQ(score_of(above).scored, 1u);
  series.table.columns[2].cells = Doubles{10.001};
  EXPECT_EQ(verdict(judged(series)), "OUT");
  EXPECT_EQ(score_of(judged(series)).out, 1u);
}

TEST(Validate, the_facts_a_source_assumed_hold_for_its_series_alone) {
  Series assumed = balance_of(5, 0.01), plain = balance_of(10, 0.01);
  assumed.facts = {{"dram.bandwidth", "200 GB/s"}};
  const Series both[] = {assumed, plain};
  EXPECT_EQ(score_of(validate(toy(), both)).out, 0u);
}

// A library's rate stands beside the model's rows, as it was measured; printed rows that nobody predicts are
// a mistake.
TEST(Validate, what_was_measured_by_another_name_is_a_yardstick) {
  Series library = balance_of(9, 1);
  library.kind = Kind::measured;
  library.table.columns[0].cells = Texts{"cublas"};
  const Result shown = judged(library);
  ASSERT_EQ(shown.tables.size(), 1u); // no ledger
  EXPECT_EQ(shown.tables[0].find("verdict"), nullptr);
  EXPECT_EQ(shown.tables[0].at("balance").number(0), 9);
  library.kind = Kind::published;
  EXPECT_NE(error_of([&] { judged(library); }), "");
}

TEST(Validate, keys_that_pick_no_row_are_an_error_in_the_file) {
  Series series = balance_of(10, 0.01);
  series.table.columns[1] = {.name = "ceiling", .role = Role::key, .cells = Texts{"fp65"}};
  EXPECT_EQ(error_of([&] { judged(series); }),
            "toy/balance.yaml: the model 'balance' has no row with the keys of row 1 and a column 'balance'");
}

TEST(Validate, keys_and_values_that_the_model_does_not_have_are_uncovered) {
  Series key = balance_of(1, 0.01), value = balance_of(1, 0.01);
  key.table.columns[1] = {.name = "colour", .role = Role::key, .cells = Texts{"red"}};
  value.value = value.table.columns[2].name = "weight";
  for (const Series& series : {key, value})
    EXPECT_EQ(table_of(judged(series), "not scored").at("why").text(0), "no model");
}

Gpu without_balance() {
  Gpu gpu = toy();
  gpu.facts["throughput.fp32_fma"].values = {absent};
  return gpu;
}

TEST(Validate, a_printed_row_without_a_number_on_either_side_is_out) {
  EXPECT_EQ(verdict(judged(balance_of(absent, 0.01))), "OUT");
  EXPECT_EQ(verdict(judged(balance_of(10, 0.01), without_balance())), "OUT");
}

// A model may say that it does not know what our probes count: that is neither right nor wrong, and shown.
TEST(Validate, measured_rows_that_the_model_leaves_out_are_counted_and_not_scored) {
  Series one = balance_of(10, 0.01);
  one.kind = Kind::measured;
  const Result none = judged(one, without_balance());
  ASSERT_EQ(none.tables.size(), 1u) << "no table of the series, no line in the ledger";
  EXPECT_EQ(table_of(none, "not scored").at("why").text(0), "left out");
  EXPECT_EQ(table_of(none, "not scored").at("rows").number(0), 1);
  EXPECT_EQ(score_of(none).out, 0u);
  EXPECT_TRUE(none.constants.empty());

  // The balance is known in fp64 alone.
  Gpu half = without_balance();
  half.facts["throughput.fp64_fma"] = toy().facts.at("throughput.fp32_fma");
  Series two = one;
  two.table.columns[0].cells = Texts{"fp32", "fp64"};
  two.table.columns[1].cells = Texts{"spec", "spec"};
  two.table.columns[2].cells = Doubles{10, 8};
  const Result some = judged(two, half);
  EXPECT_EQ(some.tables[0].at("verdict").text(0), "left out");
  EXPECT_EQ(some.tables[0].at("verdict").text(1), "OUT");
  EXPECT_EQ(table_of(some, "not scored").at("rows").number(0), 1);
  EXPECT_EQ(score_of(some).scored, 1u);
  EXPECT_DOUBLE_EQ(table_of(some, "ledger: blind").at("mean_error").number(0), 0.25);
}

// 10 is predicted. Read as 8 it is 25 % too much, as 12.5 20 % too little, as 11 hardly wrong.
TEST(Validate, of_several_readings_the_one_that_is_worst_is_scored) {
  Series series = balance_of(11, 0.22);
  series.marks = {{.readings = {12.5, 8}}};
  const Result r = judged(series);
  EXPECT_EQ(r.tables[0].at("measured").number(0), 8);
  EXPECT_DOUBLE_EQ(error_in(r), 0.25);
  EXPECT_EQ(verdict(r), "OUT");
  series.marks[0].readings = {12.5};
  EXPECT_EQ(judged(series).tables[0].at("measured").number(0), 12.5);
  EXPECT_EQ(verdict(judged(series)), "ok");
  series.at_least = true; // the larger bound
  series.marks[0].readings = {9};
  EXPECT_EQ(judged(series).tables[0].at("measured").number(0), 11);
  EXPECT_EQ(verdict(judged(series)), "OUT");
}

TEST(Validate, a_slip_of_the_source_is_shown_and_not_scored) {
  Series series = balance_of(8, 0.01);
  series.marks = {{.slip = "counts the additions twice"}};
  const Result r = judged(series);
  EXPECT_EQ(verdict(r), "slip");
  EXPECT_EQ(score_of(r).scored, 0u);
  EXPECT_EQ(table_of(r, "not scored").at("why").text(0), "slip");
  EXPECT_NE(r.tables[0].notes.back().find("counts the additions twice"), std::string::npos);
}

// Toy's balance is 10 flop/B; with twice the bandwidth it is 5, with half of it 20.
TEST(Validate, of_a_card_that_is_not_named_the_worse_prediction_is_scored_and_all_are_shown) {
  Gpu twice = with_facts(toy(), {{"dram.bandwidth", "200 GB/s"}}),
      half = with_facts(toy(), {{"dram.bandwidth", "50 GB/s"}});
  twice.name = "twice", half.name = "half";
  const Gpu cards[] = {twice, half};
  Series series = balance_of(9, 0.22);
  series.cards = {"toy", "twice"};
  series.shown = {"half"};
  const Result r = validate(toy(), std::span(&series, 1), {}, cards);
  const Table& t = r.tables[0];
  ASSERT_EQ(t.rows(), 3u);
  const auto row = [&](std::size_t i) {
    return t.at("gpu").text(i) + " " + t.at("predicted").text(i) + " " + t.at("verdict").text(i);
  };
  EXPECT_EQ(row(0), "toy 10 shown");
  EXPECT_EQ(row(1), "twice 5 OUT");
  EXPECT_EQ(row(2), "half 20 shown") << "worse still, but none of those it may be";
  EXPECT_EQ(score_of(r).scored, 1u);
  EXPECT_NE(t.notes.back().find("does not name the card"), std::string::npos);
  series.cards = {"toy", "thrice"};
  EXPECT_EQ(error_of([&] { validate(toy(), std::span(&series, 1), {}, cards); }),
            "toy/balance.yaml: there is no GPU 'thrice'");
}

TEST(Validate, a_series_on_any_gpu_is_set_aside_where_facts_are_missing_and_one_on_this_gpu_is_an_error) {
  Series series = balance_of(10, 0.01);
  series.table.columns[0].cells = Texts{"fp64"};
  EXPECT_NE(error_of([&] { judged(series); }).find("toy has no rate for fp64"), std::string::npos);
  series.gpu = any_gpu;
  const Result r = judged(series);
  EXPECT_EQ(table_of(r, "not scored").at("why").text(0), "no facts");
  EXPECT_EQ(r.tables.size(), 1u) << "and has no line in the ledger";
}

// l2-bandwidth would find sustained.l2: it has not run on this GPU, or is hidden.
TEST(Validate, a_series_that_needs_what_a_probe_has_not_found_is_set_aside_and_the_fact_is_named) {
  Series series = roof_at(1, 1e11);
  series.table.columns.push_back({.name = "level", .role = Role::key, .cells = Texts{"l2"}});
  const Table aside = table_of(judged(series), "not scored");
  EXPECT_EQ(aside.at("why").text(0), "no facts");
  EXPECT_EQ(aside.notes.back(), "toy: no fact sustained.l2 there.");
}

TEST(Validate, nothing_to_judge_is_an_empty_answer) {
  EXPECT_TRUE(validate(toy(), {}).tables.empty());
  EXPECT_EQ(score_of({}).scored, 0u);
}

} // namespace perfmodel::validate_test
