#include "hwdb/measured.hpp"

#include "hwdb/result_file.hpp"
#include "hwdb/text_file.hpp"
#include "tests/hwdb/runs.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace perfmodel::hwdb::measured_test {

TEST(Measured, a_constant_says_what_found_it_on_what_and_when) {
  const std::vector<Constant> all = constants_of(small_run(), "h200/dram.json");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].path, "sustained.dram");
  EXPECT_DOUBLE_EQ(all[0].value, 4.61e12);
  EXPECT_EQ(all[0].place, "h200/dram.json");
  EXPECT_EQ(all[0].source, "our probe dram on NVIDIA H200, 2026-11-20, SM clock 1980 MHz");
}

TEST(Measured, a_table_in_the_keys_of_a_model_is_a_series) {
  const std::vector<Series> all = series_of(small_run(), "h200/dram.json");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].kind, Kind::measured);
  EXPECT_EQ(all[0].gpu, "h200");
  EXPECT_EQ(all[0].model, "roofline");
  EXPECT_EQ(all[0].probe, "dram");
  EXPECT_EQ(all[0].value, "bandwidth");
}

TEST(Measured, every_counted_column_is_a_series_of_its_own) {
  Record run = small_run();
  run.environment.emplace_back("counters", "CUPTI 13.0.1");
  std::vector<Column>& columns = run.measurements[0].table.columns;
  columns[3] = {.name = "sectors", .role = Role::measured, .cells = std::vector<double>{4, 32}};
  const std::vector<Series> all = series_of(run, "h200/counters.json");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].value, "bandwidth");
  EXPECT_EQ(all[1].value, "sectors");
  EXPECT_EQ(all[1].table.at("sectors").number(1), 32);
  EXPECT_EQ(all[1].table.find("bandwidth"), nullptr);
  EXPECT_EQ(all[1].table.at("n").number(1), -2);
  EXPECT_EQ(all[1].source, "our probe dram on NVIDIA H200, 2026-11-20, counted with CUPTI 13.0.1");
}

// Power with percentiles, and what was got for it.
TEST(Measured, percentiles_are_those_of_the_quantity_before_them) {
  Record run = small_run();
  run.measurements[0].table.columns.push_back(
      {.name = "efficiency", .role = Role::measured, .cells = std::vector<double>{1, 2}});
  const std::vector<Series> all = series_of(run, "h200/energy.json");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NE(all[0].table.find("low"), nullptr);
  EXPECT_EQ(all[1].value, "efficiency");
  EXPECT_EQ(all[1].table.find("low"), nullptr);
}

TEST(Measured, a_probe_of_constants_alone_is_no_series) {
  Record run = small_run();
  run.measurements[0].model = "";
  EXPECT_TRUE(series_of(run, "x").empty());
  EXPECT_EQ(constants_of(run, "x").size(), 1u);
}

TEST(Measured, unchecked_and_invalid_readings_are_left_out_with_a_sentence) {
  Record unchecked = small_run(), invalid = small_run();
  unchecked.measurements[0].verified = false;
  invalid.measurements[0].invalid = "4.9 TB/s is above the pins";
  for (const Record& run : {unchecked, invalid}) {
    EXPECT_TRUE(constants_of(run, "x").empty());
    EXPECT_TRUE(series_of(run, "x").empty());
  }
  EXPECT_EQ(left_out(unchecked), std::vector<std::string>{"left out: dram: its answer was not checked"});
  EXPECT_EQ(left_out(invalid), std::vector<std::string>{"left out: dram: 4.9 TB/s is above the pins"});
  EXPECT_TRUE(left_out(small_run()).empty());
}

TEST(Measured, a_series_without_a_measured_column_is_refused) {
  Record run = small_run();
  run.measurements[0].table.columns[2].role = Role::predicted;
  EXPECT_EQ(error_of([&] { series_of(run, "x.json"); }), "x.json: the probe dram measured nothing");
}

TEST(Measured, a_run_is_read_from_its_file_and_a_prediction_is_none) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("perfmodel_run_" + std::to_string(::getpid()) + ".json");
  write_whole(path, to_json(small_run()));
  EXPECT_EQ(read_run(path).measurements.size(), 1u);
  write_whole(path, to_json({.result = {.model = "balance"}}));
  EXPECT_EQ(error_of([&] { read_run(path); }), path.string() + " holds no measurements");
  std::filesystem::remove(path);
}

// The clock of the row that measured the constant, under the name the H200's peak gives it.
TEST(Measured, a_sustained_rate_is_held_against_the_peak_at_the_clock_of_its_row) {
  Record run = small_run();
  Measurement& m = run.measurements[0];
  m.constants = {{.path = "sustained.bf16_tensor", .value = 800e12, .low = 1, .high = 1, .probe = m.probe}};
  m.table = {
      .columns = {{.name = "precision", .role = Role::key, .cells = std::vector<std::string>{"bf16", "bf16"}},
                  {.name = "rate", .role = Role::measured, .cells = std::vector<double>{700e12, 800e12}},
                  {.name = "sm_clock", .role = Role::note, .cells = std::vector<double>{1.4e9, 1.6e9}}}};
  Gpu gpu;
  gpu.facts["peak.bf16_tensor"] = {.values = {989e12}, .clock = "clock.tensor"};
  const std::vector<Series> all = peaks_of(run, "run.json", gpu);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].table.at("clock.tensor").number(0), 1.6e9);
  EXPECT_EQ(all[0].table.at("rate").number(0), 800e12);
  EXPECT_EQ(all[0].table.at("ceiling").text(0), "bf16 tensor");
}

} // namespace perfmodel::hwdb::measured_test
