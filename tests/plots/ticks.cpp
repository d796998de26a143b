#include "plots/layout/ticks.hpp"
#include "plots/chart/value_axis.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::plots::ticks_test {

ChartAxis axis(Scale scale, double low, double high, double unit = 1, TickText text = TickText::plain) {
  ChartAxis a;
  a.scale = scale, a.low = low, a.high = high, a.unit = unit, a.ticks = text;
  return a;
}

std::vector<std::string> texts(const ChartAxis& a, int most) {
  std::vector<std::string> out;
  for (const Tick& t : ticks_of(a, most)) out.push_back(t.text);
  return out;
}

using Texts = std::vector<std::string>;

TEST(Ticks, intensities_are_fractions) {
  EXPECT_EQ(texts(axis(Scale::log2, 1.0 / 16, 4), 20), (Texts{"1/16", "1/8", "1/4", "1/2", "1", "2", "4"}));
}

TEST(Ticks, powers_of_two_beyond_reading_are_powers) {
  EXPECT_EQ(power_of_two(10), "1024");
  EXPECT_EQ(power_of_two(20), "2²⁰");
  EXPECT_EQ(power_of_two(-12), "2⁻¹²");
}

TEST(Ticks, one_axis_says_all_its_ticks_one_way) {
  EXPECT_EQ(texts(axis(Scale::log2, 1 << 14, 1 << 20), 4), (Texts{"2¹⁴", "2¹⁶", "2¹⁸", "2²⁰"}));
  EXPECT_EQ(texts(axis(Scale::log2, 1 << 14, 1 << 17), 4), (Texts{"16384", "32768", "65536", "131072"}));
  EXPECT_EQ(texts(axis(Scale::log10, 1e4, 1e7), 4), (Texts{"10⁴", "10⁵", "10⁶", "10⁷"}));
  EXPECT_EQ(texts(axis(Scale::linear, 0, 1.5e7), 4), (Texts{"0", "5·10⁶", "10⁷", "1.5·10⁷"}));
}

TEST(Ticks, a_linear_axis_steps_by_1_2_or_5) {
  EXPECT_EQ(texts(axis(Scale::linear, 0, 1), 6), (Texts{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(texts(axis(Scale::linear, 0, 4.9e12, 1e12), 6), (Texts{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(texts(axis(Scale::linear, -1, 1), 5), (Texts{"-1", "-0.5", "0", "0.5", "1"}));
}

// 80 is the last of five: an axis that goes on to 87 has no sixth.
TEST(Ticks, count_as_many_as_there_are_and_not_as_many_as_there_might_be) {
  EXPECT_EQ(texts(axis(Scale::linear, 0, 87), 5), (Texts{"0", "20", "40", "60", "80"}));
  EXPECT_EQ(texts(axis(Scale::linear, 0, 100), 5), (Texts{"0", "50", "100"}));
}

TEST(Ticks, three_tenths_is_written_without_its_binary_tail) {
  EXPECT_EQ(texts(axis(Scale::linear, 0.25, 0.45), 5), (Texts{"0.25", "0.3", "0.35", "0.4", "0.45"}));
}

TEST(Ticks, bytes_take_binary_prefixes) {
  EXPECT_EQ(texts(axis(Scale::log2, 16384, 1 << 20, 1, TickText::binary), 20),
            (Texts{"16 Ki", "32 Ki", "64 Ki", "128 Ki", "256 Ki", "512 Ki", "1 Mi"}));
}

TEST(Ticks, decades_are_divided_when_there_is_room) {
  EXPECT_EQ(texts(axis(Scale::log10, 1, 100), 20), (Texts{"1", "2", "5", "10", "20", "50", "100"}));
  EXPECT_EQ(texts(axis(Scale::log10, 1, 1e4), 5), (Texts{"1", "10", "100", "1000", "10000"}));
}

TEST(Ticks, there_are_never_more_than_asked_for_and_all_lie_on_the_axis) {
  for (const Scale scale : {Scale::linear, Scale::log2, Scale::log10})
    for (const double high : {1.1, 3.0, 1e3, 1e9, 1e200})
      for (int most = 2; most < 30; most += 3) {
        const ChartAxis a = axis(scale, 1, high);
        const auto ticks = ticks_of(a, most);
        EXPECT_LE(ticks.size(), static_cast<std::size_t>(most));
        for (const Tick& t : ticks) {
          EXPECT_GE(position_on(a, t.value), -1e-8);
          EXPECT_LE(position_on(a, t.value), 1 + 1e-8);
        }
      }
}

TEST(Ticks, a_log_axis_within_one_digit_has_the_ticks_of_a_linear_one) {
  EXPECT_EQ(texts(axis(Scale::log10, 595, 705), 8), (Texts{"600", "620", "640", "660", "680", "700"}));
}

TEST(Ticks, a_log_axis_has_no_place_for_zero_and_below) {
  EXPECT_TRUE(std::isnan(position_on(axis(Scale::log2, 1, 2), 0)));
  EXPECT_TRUE(std::isnan(position_on(axis(Scale::log10, 1, 2), -3)));
  EXPECT_DOUBLE_EQ(position_on(axis(Scale::log2, 1, 16), 4), 0.5);
}

ChartAxis swept(std::vector<double> values) {
  return value_axis({"threads", {}, false, false, true}, values);
}

TEST(Ticks, a_sweep_over_whole_warps_has_its_ticks_at_multiples_of_a_warp) {
  std::vector<double> threads;
  for (int t = 32; t <= 1024; t += 32) threads.push_back(t);
  const ChartAxis a = swept(threads);
  EXPECT_EQ(a.low, 0);
  EXPECT_EQ(texts(a, 20), (Texts{"0", "128", "256", "384", "512", "640", "768", "896", "1024"}));
}

TEST(Ticks, a_sweep_over_whole_numbers_has_none_between_them) {
  EXPECT_EQ(texts(swept({1, 2, 3, 4}), 20), (Texts{"1", "2", "3", "4"}));
  EXPECT_EQ(texts(swept({1, 1.5, 2}), 4), (Texts{"1", "1.5", "2"}));
}

TEST(Ticks, one_value_alone_still_has_a_tick) { EXPECT_GE(texts(swept({1024}), 20).size(), 2u); }

TEST(Ticks, other_values_keep_decimal_steps) {
  EXPECT_EQ(texts(swept({100, 200, 300}), 4), (Texts{"100", "200", "300"}));
}

} // namespace perfmodel::plots::ticks_test
