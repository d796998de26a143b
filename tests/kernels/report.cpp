// From samples to rows: no GPU needed.
#include "kernels/core/report.hpp"

#include <gtest/gtest.h>

namespace perfmodel::kernels::report_test {

Report report() { return {"bandwidth", {{"level", {}}}, "bandwidth", unit_of<BytesPerSecond>()}; }
const Measurement eleven{.values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, .sm_clock = {1e9, 2e9, 3e9}};

TEST(Report, a_row_is_the_median_with_the_5th_and_95th_percentile) {
  Report r = report();
  r.row({"dram"}, eleven);
  const Table table = r.take().table;
  EXPECT_EQ(table.at("level").text(0), "dram");
  EXPECT_DOUBLE_EQ(table.at("bandwidth").number(0), 6);
  EXPECT_DOUBLE_EQ(table.at("low").number(0), 1.5);
  EXPECT_DOUBLE_EQ(table.at("high").number(0), 10.5);
  EXPECT_DOUBLE_EQ(table.at("sm_clock").number(0), 2e9);
}

TEST(Report, a_second_quantity_stands_beside_the_first) {
  Report r = report();
  r.beside("efficiency", unit_of<FlopsPerJoule>());
  for (const double value : {7., 8.}) {
    r.row({"dram"}, eleven);
    r.value_beside(value);
  }
  const Table table = r.take().table;
  EXPECT_EQ(table.at("efficiency").role, Role::measured);
  EXPECT_EQ(table.at("efficiency").number(1), 8);
  EXPECT_DOUBLE_EQ(table.at("bandwidth").number(1), 6);
}

TEST(Report, every_sample_is_kept) {
  Report r = report();
  r.row({"dram"}, eleven);
  const ProbeResult result = r.take();
  ASSERT_EQ(result.samples.size(), 1u);
  EXPECT_EQ(result.samples[0].name, "dram");
  EXPECT_EQ(result.samples[0].values, eleven.values);
}

TEST(Report, a_reading_above_a_physical_limit_is_invalid_and_says_why) {
  for (const auto& [limit, valid] : {std::pair{6.0, true}, std::pair{5.98, true}, std::pair{5.9, false}}) {
    Report r = report();
    r.row({"dram"}, eleven, Limit{limit, "the pins"});
    const ProbeResult result = r.take();
    EXPECT_EQ(result.invalid.empty(), valid) << limit;
    if (!valid) {
      EXPECT_NE(result.invalid.find("the pins"), std::string::npos) << result.invalid;
    }
  }
}

TEST(Report, a_wrong_answer_is_invalid) {
  Report r = report();
  EXPECT_FALSE(r.verify(false, "sum of the words read"));
  const ProbeResult result = r.take();
  EXPECT_FALSE(result.verified);
  EXPECT_EQ(result.invalid, "wrong answer: sum of the words read");
}

TEST(Report, a_rate_is_the_work_of_a_launch_over_its_time) {
  const Measurement m = rate_of({.seconds = {0.5, 0.25}, .sm_clock = {1e9, 1e9}}, 8);
  EXPECT_EQ(m.values, (std::vector<double>{16, 32}));
}

} // namespace perfmodel::kernels::report_test
