#include "models/bounds/balance.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::balance_test {

std::vector<Balance::Row> balance(const Gpu& gpu, const Balance::Input& in) {
  Plain plain;
  return Balance::predict(gpu, in, plain);
}

Balance::Row one(const std::string& gpu, Precision precision, Basis basis = Basis::spec) {
  Balance::Input in;
  in.precision = precision;
  in.basis = basis;
  return balance(gpu_named(gpu), in).front();
}

// 14 SMs x 16 x 2 x 1.15 GHz / 144 GB/s = 515.2 / 144; Keckler et al., IEEE Micro 2011, print 3.6.
TEST(Balance, of_fermi_in_double_precision_is_3_58) {
  EXPECT_NEAR(one("fermi", Precision::fp64).balance.value, 3.578, 0.0005);
}

// 1332.2 / 177.4 = 7.510; on the measured 125 GB/s 10.658, worked by hand; 177 and 125 GB/s are
// slide 62's of R. Vuduc, GPU tuning, part 1.
TEST(Balance, of_an_m2090_is_7_5_by_its_pins_and_10_6_as_measured) {
  EXPECT_NEAR(one("m2090", Precision::fp32).balance.value, 7.510, 0.0005);
  EXPECT_NEAR(one("m2090", Precision::fp32, Basis::measured).balance.value, 10.658, 0.0005);
}

// By hand: GTX 280 26.3 with MAD and MUL, 17.6 with MAD; C1060 24.3; GTX 480 30.3. J. Filipovic, Vykon GPU
// hardware, 2010, prints > 24 and > 30.
TEST(Balance, in_operations_per_float_is_what_the_lecture_counts) {
  EXPECT_NEAR(one("gtx280", Precision::fp32_mad_mul).per_float.value, 26.3, 0.05);
  EXPECT_NEAR(one("gtx280", Precision::fp32).per_float.value, 17.6, 0.05);
  EXPECT_NEAR(one("c1060", Precision::fp32).per_float.value, 24.3, 0.05);
  EXPECT_NEAR(one("gtx480", Precision::fp32).per_float.value, 30.3, 0.05);
}

TEST(Balance, both_bases_are_shown_where_they_differ_and_one_where_not) {
  EXPECT_EQ(balance(toy(), {}).size(), 1u);
  EXPECT_EQ(balance(with_facts(toy(), {{"sustained.dram", "80GB/s"}}), {}).size(), 2u);
  Balance::Input measured;
  measured.basis = Basis::measured;
  ASSERT_EQ(balance(toy(), measured).size(), 1u) << "asked for, it falls back to the pins";
  EXPECT_DOUBLE_EQ(balance(toy(), measured)[0].balance.value, 10);
}

TEST(Balance, times_bandwidth_is_the_peak_on_every_gpu) {
  for (const Gpu& gpu : every_gpu())
    for (const Balance::Row& row : balance(gpu, {})) {
      EXPECT_DOUBLE_EQ((row.balance * row.bandwidth).value, row.rate.value) << gpu.name << " " << row.ceiling;
      EXPECT_DOUBLE_EQ(row.per_float.value, 4 * row.balance.value) << gpu.name << " " << row.ceiling;
    }
}

TEST(Balance, falls_as_bandwidth_grows_and_grows_with_the_clock) {
  const auto at = [](const Words& facts) { return balance(with_facts(toy(), facts), {})[0].balance.value; };
  EXPECT_DOUBLE_EQ(at({}), 10);
  EXPECT_DOUBLE_EQ(at({{"dram.bandwidth", "200GB/s"}}), 5);
  EXPECT_DOUBLE_EQ(at({{"clock", "2GHz"}}), 20);
}

TEST(Balance, of_another_level_uses_its_bandwidth) {
  Balance::Input in;
  in.level = Level::l2;
  EXPECT_DOUBLE_EQ(balance(with_facts(toy(), {{"sustained.l2", "500GB/s"}}), in)[0].balance.value, 2);
  EXPECT_NE(error_of([&] { balance(toy(), in); }).find("toy has no fact 'sustained.l2'"), std::string::npos);
}

} // namespace perfmodel::balance_test
