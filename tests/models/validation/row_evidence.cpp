// Which class of evidence a row is, and that each class is counted apart.
#include "judged_series.hpp"

#include <string>

#include <gtest/gtest.h>

namespace perfmodel::row_evidence_test {

Gpu measured_by(const std::string& probe) {
  const Constant c{
      .path = "sustained.dram", .value = 90e9, .probe = probe, .source = "ours", .place = "run.json"};
  return with_constants(toy(), {&c, 1}, Over::everything);
}

// 80 % too much was predicted, and yet nothing is out: the probe would be held against itself.
TEST(RowEvidence, a_prediction_from_a_constant_of_the_same_probe_is_circular_and_not_scored) {
  Series series = roof_at(1, 50e9);
  series.probe = "dram";
  const Result r = judged(series, measured_by("dram"));
  EXPECT_EQ(table_of(r, "not scored").at("why").text(0), "own constants");
  EXPECT_EQ(score_of(r).scored, 0u);
  EXPECT_EQ(score_of(r).out, 0u);
  EXPECT_EQ(table_of(r, "ledger: calibration").at("rows").number(0), 1);
  EXPECT_EQ(table_of(r, "ledger: calibration").find("mean_error"), nullptr);
  EXPECT_EQ(score_of(r).calibration, 1u);
}

TEST(RowEvidence, of_a_series_that_is_circular_in_part_the_other_rows_are_scored) {
  Series series = roof_at(1, 50e9);
  series.probe = "dram";
  series.table.columns[0].cells = Doubles{1, 1};
  series.table.columns[1].cells = Texts{"measured", "spec"};
  series.table.columns[2].cells = Doubles{50e9, 100e9};
  const Result r = judged(series, measured_by("dram"));
  EXPECT_EQ(r.tables[0].at("verdict").text(0), "calibration");
  EXPECT_EQ(r.tables[0].at("evidence").text(0), "calibration");
  EXPECT_EQ(r.tables[0].at("verdict").text(1), "ok");
  EXPECT_EQ(r.tables[0].at("evidence").text(1), "blind");
  EXPECT_EQ(score_of(r).scored, 1u);
  EXPECT_EQ(score_of(r).out, 0u);
}

TEST(RowEvidence, a_constant_of_another_probe_is_named_and_the_row_scored) {
  Series series = roof_at(1, 90e9);
  series.probe = "intensity-sweep";
  const Result r = judged(series, measured_by("dram"));
  EXPECT_EQ(verdict(r), "ok");
  EXPECT_EQ(score_of(r).scored, 1u);
  ASSERT_EQ(r.constants.size(), 1u);
  EXPECT_EQ(r.constants[0].symbol, "sustained.dram");
  EXPECT_EQ(r.constants[0].probe, "dram");
}

Series two_rows(double tolerance) {
  Series two = balance_of(8, tolerance); // +25 % and -20 %
  two.table.columns[0].cells = Texts{"fp32", "fp32"};
  two.table.columns[1].cells = Texts{"spec", "spec"};
  two.table.columns[2].cells = Doubles{8, 12.5};
  two.marks.resize(2);
  return two;
}

// The first of two rows fixed a constant: whatever its error, it is shown and counted, never scored.
TEST(RowEvidence, rows_that_fixed_a_constant_are_not_scored) {
  Series two = two_rows(0.22);
  two.marks[0].evidence = Evidence::calibration;
  const Result r = judged(two);
  EXPECT_EQ(r.tables[0].at("verdict").text(0), "calibration");
  EXPECT_DOUBLE_EQ(r.tables[0].at("error").number(0), 0.25);
  EXPECT_EQ(r.tables[0].at("verdict").text(1), "ok");
  const Table& ledger = table_of(r, "ledger: blind");
  EXPECT_EQ(ledger.at("scored").number(0), 1);
  EXPECT_EQ(ledger.at("out").number(0), 0);
  EXPECT_DOUBLE_EQ(ledger.at("mean_error").number(0), 0.2);
  EXPECT_DOUBLE_EQ(ledger.at("worst_error").number(0), 0.2);
  EXPECT_EQ(table_of(r, "ledger: calibration").at("rows").number(0), 1);
  EXPECT_EQ(score_of(r).scored, 1u);
  two.marks[0].evidence = Evidence::blind, two.marks[1].evidence = Evidence::calibration;
  EXPECT_EQ(score_of(judged(two)).out, 1u) << "the row that is out is scored now";
  two.marks[0].evidence = Evidence::calibration;
  EXPECT_EQ(score_of(judged(two)).scored, 0u);
  EXPECT_EQ(score_of(judged(two)).calibration, 2u);
}

TEST(RowEvidence, each_class_of_evidence_is_scored_apart) {
  Series two = two_rows(0.22);
  two.marks[0].evidence = Evidence::in_sample;
  const Result r = judged(two);
  EXPECT_EQ(r.tables[0].at("evidence").text(0), "in-sample");
  EXPECT_EQ(r.tables[0].at("evidence").text(1), "blind");
  EXPECT_DOUBLE_EQ(table_of(r, "ledger: blind").at("mean_error").number(0), 0.2);
  EXPECT_DOUBLE_EQ(table_of(r, "ledger: in-sample").at("mean_error").number(0), 0.25);
  const Table& classes = table_of(r, std::string(evidence_title));
  ASSERT_EQ(classes.rows(), 2u);
  EXPECT_EQ(classes.at("evidence").text(0), "blind");
  EXPECT_EQ(classes.at("out").number(0), 0);
  EXPECT_EQ(classes.at("out").number(1), 1);
  const Scores scores = score_of(r);
  EXPECT_EQ(scores.scored, 2u);
  EXPECT_EQ(scores.out, 1u);
  EXPECT_EQ(scores.by_class.at(Evidence::blind).out, 0u);
  EXPECT_EQ(scores.by_class.at(Evidence::in_sample).out, 1u);
  EXPECT_FALSE(scores.by_class.contains(Evidence::semi_circular));
}

// The record, not a name in the code, says which probe moves what the kernel moves.
TEST(RowEvidence, a_row_that_rests_on_its_kernels_own_traffic_is_semi_circular) {
  Series series = roof_at(1, 90e9);
  series.probe = "intensity-sweep";
  const auto evidence = [&](const EvidenceRecord& record) {
    const Result r = validate(measured_by("dram"), std::span(&series, 1), record);
    return r.tables[0].at("evidence").text(0);
  };
  const OwnConstant own{.model = "roofline", .quantity = "performance", .probe = "dram"};
  EXPECT_EQ(evidence({}), "blind");
  EXPECT_EQ(evidence({.own_constants = {own}}), "semi-circular");
  for (auto member : {&OwnConstant::model, &OwnConstant::quantity, &OwnConstant::probe}) {
    OwnConstant other = own;
    other.*member = "another";
    EXPECT_EQ(evidence({.own_constants = {other}}), "blind");
  }
  EXPECT_EQ(
      evidence(
          {.own_constants = {{.model = "roofline", .quantity = "performance", .symbol = "sustained.dram"}}}),
      "semi-circular");
  series.probe = "dram"; // stronger still
  const Result circular = validate(measured_by("dram"), std::span(&series, 1), {.own_constants = {own}});
  EXPECT_EQ(score_of(circular).calibration, 1u);
  EXPECT_EQ(score_of(circular).scored, 0u);
}

// A run of messages measures its steps and its sums; what is printed somewhere has no run.
TEST(RowEvidence, a_row_is_semi_circular_whose_own_run_gives_the_input_that_it_rests_on) {
  Series series = roof_at(1, 90e9);
  const std::string given = series.table.columns.front().name;
  const auto evidence = [&](const char* input) {
    const EvidenceRecord record{
        .own_constants = {{.model = "roofline", .quantity = "performance", .input = input}}};
    return validate(measured_by("dram"), std::span(&series, 1), record).tables[0].at("evidence").text(0);
  };
  series.probe = "intensity-sweep";
  series.kind = Kind::measured;
  EXPECT_EQ(evidence(given.c_str()), "semi-circular");
  EXPECT_EQ(evidence("another"), "blind");
  series.kind = Kind::published;
  EXPECT_NE(evidence(given.c_str()), "semi-circular");
}

// A constant that is named already is not looked for again; the class must not depend on what came before.
TEST(RowEvidence, the_second_row_that_rests_on_own_traffic_is_semi_circular_too) {
  Series series = roof_at(1, 90e9);
  series.probe = "intensity-sweep";
  Series both[] = {series, series};
  const OwnConstant own{.model = "roofline", .quantity = "performance", .probe = "dram"};
  const Result r = validate(measured_by("dram"), both, {.own_constants = {own}});
  EXPECT_EQ(score_of(r).by_class.at(Evidence::semi_circular).scored, 2u);
}

TEST(RowEvidence, rows_of_a_gpu_whose_runs_were_seen_are_in_sample_but_for_those_named) {
  EvidenceRecord record{.seen = {"toy"}};
  EXPECT_EQ(record.of("toy", "roofline", "intensity", "performance"), Evidence::in_sample);
  EXPECT_EQ(record.of("another", "roofline", "intensity", "performance"), Evidence::blind);
  record.blind = {{.gpu = "toy", .model = "roofline"}};
  EXPECT_EQ(record.of("toy", "roofline", "intensity", "performance"), Evidence::blind);
  EXPECT_EQ(record.of("toy", "balance", "intensity", "performance"), Evidence::in_sample);
  record.in_sample = {{.gpu = "another", .model = "roofline"}};
  EXPECT_EQ(record.of("another", "roofline", "intensity", "performance"), Evidence::in_sample);
  EXPECT_EQ(record.of("another", "balance", "intensity", "performance"), Evidence::blind);
  record.blind[0].quantity = "bandwidth";
  EXPECT_EQ(record.of("toy", "roofline", "intensity", "performance"), Evidence::in_sample);
}

} // namespace perfmodel::row_evidence_test
