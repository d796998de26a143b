#include "charts.hpp"

#include "plots/chart/roofline_chart.hpp"
#include "plots/layout/layout.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace perfmodel::plots::roofline_test {

using namespace test;

const ChartLine* line_named(const Chart& chart, const std::string& part) {
  for (const ChartLine& line : chart.lines)
    if (line.label.find(part) != std::string::npos) return &line;
  return nullptr;
}

bool noted(const Chart& chart, const std::string& part) {
  return std::any_of(chart.notes.begin(), chart.notes.end(),
                     [&](const auto& n) { return n.find(part) != std::string::npos; });
}

Machine with(Machine m, std::vector<test::Kernel> kernels) {
  m.kernels = std::move(kernels);
  return m;
}

// 1332.2 Gflop/s over 177.4 GB/s = 7.51 flop/B.
TEST(RooflineChart, the_ridge_is_where_both_roofs_meet) {
  const Chart chart = roofline_chart(roofline({m2090()}));
  const ChartDot* ridge = dot_named(chart, "ridge");
  ASSERT_TRUE(ridge);
  EXPECT_DOUBLE_EQ(ridge->at.x, 1332.2 / 177.4);
  EXPECT_DOUBLE_EQ(ridge->at.y, 1332.2e9);
  EXPECT_EQ(ridge->label, "ridge 7.51 flop/B");
  EXPECT_TRUE(ridge->dropped);
}

TEST(RooflineChart, axes_depend_on_the_hardware_and_not_on_the_points) {
  const Chart empty = roofline_chart(roofline({h200()}));
  const Chart full = roofline_chart(roofline({h200()}), {sweep(h200(), "fp32", 0.9)});
  for (const auto axis : {&Chart::x, &Chart::y}) {
    EXPECT_EQ((empty.*axis).low, (full.*axis).low);
    EXPECT_EQ((empty.*axis).high, (full.*axis).high);
  }
  EXPECT_EQ(empty.x.low, 1.0 / 16);
  EXPECT_EQ(empty.x.high, 1024);
}

TEST(RooflineChart, a_point_that_would_fall_off_extends_the_axis_by_whole_powers_of_two) {
  const Chart chart =
      roofline_chart(roofline({with(m2090(), {{"slow", "fp32", "dram", 1.0 / 100, 1.7e9, 1.5e9}})}));
  EXPECT_EQ(chart.x.low, 1.0 / 128);
  EXPECT_EQ(chart.y.low, 1e9); // 1.5 Gflop/s lies between 1 and 2
}

TEST(RooflineChart, a_point_beyond_reason_is_dropped_and_counted) {
  const Chart chart = roofline_chart(roofline({with(m2090(), {{"slip", "fp32", "dram", 1e-30, 1, 1}})}));
  EXPECT_TRUE(noted(chart, "1 point lies over 12 octaves off"));
  EXPECT_FALSE(dot_named(chart, "slip"));
}

TEST(RooflineChart, the_x_axis_names_the_memory_level_whose_bytes_are_counted) {
  EXPECT_NE(roofline_chart(roofline({m2090()})).x.label.find("bytes counted at DRAM"), std::string::npos);
  const Chart l2 = roofline_chart(roofline({with(h200(), {{"k", "fp32", "l2", 1, 10.9e12, 9e12}})}));
  EXPECT_NE(l2.x.label.find("bytes counted at L2"), std::string::npos);
  EXPECT_NE(line_named(l2, "L2 read 10.9 TB/s"), nullptr);
}

TEST(RooflineChart, a_label_of_the_x_axis_that_is_too_long_for_the_picture_goes_on_in_a_second_line) {
  const Result r =
      roofline({with(h200(), {{"a", "fp32", "dram", 1, 4e12, 3e12}, {"b", "fp32", "l2", 1, 9e12, 8e12}})});
  const auto label = [&](Size size) {
    std::vector<std::string> lines;
    for (const Text& text : layout(roofline_chart(r), size).frame)
      if (text.text.find("intensity") != std::string::npos ||
          text.text.find("(DRAM, L2)") != std::string::npos)
        lines.push_back(text.text);
    return lines;
  };
  EXPECT_EQ(label(Size{}).size(), 1u);
  EXPECT_EQ(label(Size{420, 360}).size(), 2u) << "a phone";
}

TEST(RooflineChart, the_roof_is_solid_and_other_ceilings_are_not) {
  const Chart chart = roofline_chart(roofline({h200()}));
  EXPECT_EQ(line_named(chart, "fp32, fp64 tensor")->dash, Dash::solid);
  EXPECT_EQ(line_named(chart, "DRAM pin")->dash, Dash::solid);
  EXPECT_EQ(line_named(chart, "tf32 tensor")->dash, Dash::dashed);
  EXPECT_EQ(line_named(chart, "L2 read")->dash, Dash::dotted); // measured
}

TEST(RooflineChart, the_selected_precision_is_the_roof) {
  EXPECT_EQ(line_named(roofline_chart(roofline({h200()}), {}, "bf16"), "bf16, fp16 tensor")->dash,
            Dash::solid);
  const Chart by_points = roofline_chart(roofline({h200()}), {sweep(h200(), "fp64", 0.9)});
  EXPECT_EQ(line_named(by_points, "fp64, fp32 without FMA")->dash, Dash::solid);
}

TEST(RooflineChart, regions_are_shaded_for_a_single_device_only) {
  EXPECT_EQ(roofline_chart(roofline({h200()})).regions.size(), 2u);
  EXPECT_TRUE(roofline_chart(roofline({h200(), m2090()})).regions.empty());
}

TEST(RooflineChart, several_devices_show_one_roof_each_in_their_own_colour) {
  const Chart chart = roofline_chart(roofline({m2090(), h200()}));
  EXPECT_EQ(chart.lines.size(), 4u); // a slope and a flat each
  EXPECT_NE(line_named(chart, "m2090 fp32")->colour, line_named(chart, "h200 fp32")->colour);
}

TEST(RooflineChart, a_device_without_the_selected_precision_says_so) {
  const Chart chart = roofline_chart(roofline({m2090(), h200()}), {}, "bf16");
  EXPECT_TRUE(noted(chart, "No bf16 rate of m2090"));
}

TEST(RooflineChart, a_point_above_the_roof_is_drawn_as_a_warning_and_one_at_it_is_not) {
  const auto drawn = [](double achieved) {
    return roofline_chart(roofline({with(h200(), {{"k", "fp32", "dram", 31, 66.91e12, achieved}})}));
  };
  const Chart above = drawn(100e12);
  EXPECT_TRUE(dot_named(above, "k, 149 %")->warning);
  EXPECT_TRUE(noted(above, "1 point lies above the roof"));
  EXPECT_FALSE(dot_named(drawn(66.91e12), "k")->warning);
  EXPECT_FALSE(dot_named(drawn(66.91e12 * 1.004), "k")->warning);
}

TEST(RooflineChart, a_measured_sweep_is_held_against_its_own_precision) {
  const Chart chart = roofline_chart(roofline({h200()}), {sweep(h200(), "fp64", 1.3)});
  EXPECT_TRUE(std::any_of(chart.dots.begin(), chart.dots.end(), [](const ChartDot& d) { return d.warning; }));
}

TEST(RooflineChart, measured_points_are_hollow_and_attainable_ones_are_not) {
  const Chart chart =
      roofline_chart(roofline({with(h200(), {{"ran", "fp32", "dram", 1, 4.8e12, 4e12, 3.9e12, 4.1e12},
                                             {"may", "fp32", "dram", 2, 9.6e12, absent}})}));
  EXPECT_FALSE(dot_named(chart, "ran")->filled);
  EXPECT_EQ(dot_named(chart, "ran")->low, 3.9e12);
  EXPECT_TRUE(dot_named(chart, "may")->filled);
  EXPECT_EQ(dot_named(chart, "may")->at.y, 9.6e12);
}

TEST(RooflineChart, one_kernel_at_several_levels_is_joined_by_a_thin_line) {
  const Chart chart = roofline_chart(roofline({with(h200(), {{"sgemm", "fp32", "dram", 128, 66.9e12, 52e12},
                                                             {"sgemm", "fp32", "l2", 32, 66.9e12, 52e12},
                                                             {"other", "fp32", "dram", 1, 4.8e12, 4e12}})}));
  const auto joins = std::count_if(chart.lines.begin(), chart.lines.end(), [](const ChartLine& l) {
    return l.title == "sgemm at its memory levels" && l.points.size() == 2 && l.points.front().x == 32;
  });
  EXPECT_EQ(joins, 1);
}

TEST(RooflineChart, points_that_are_no_numbers_are_dropped_and_counted) {
  const Chart chart = roofline_chart(roofline({with(h200(), {{"nan", "fp32", "dram", absent, absent, absent},
                                                             {"zero", "fp32", "dram", 0, 0, 0},
                                                             {"minus", "fp32", "dram", 1, absent, -1}})}));
  EXPECT_TRUE(noted(chart, "3 points without a positive intensity and rate"));
  EXPECT_EQ(chart.dots.size(), 1u); // the ridge
}

TEST(RooflineChart, equal_ceilings_share_a_line_and_its_name) {
  const Chart chart = roofline_chart(roofline({h200()}));
  EXPECT_NE(line_named(chart, "fp8, int8 tensor 1.979 Pflop/s"), nullptr);
  EXPECT_NE(line_named(chart, "fp16, bf16 tensor 989.4 Tflop/s"), nullptr);
}

TEST(RooflineChart, integers_do_operations_where_no_flop_shares_their_line) {
  Machine m = h200();
  m.rates.push_back({"int32", "int32", "spec", 16.7e12});
  const Chart fp32 = roofline_chart(roofline({m}));
  EXPECT_NE(line_named(fp32, "int32 16.7 Top/s"), nullptr);
  EXPECT_NE(line_named(fp32, "fp8, int8 tensor 1.979 Pflop/s"), nullptr);
  EXPECT_EQ(fp32.y.label, "Performance [Tflop/s]");
  const Chart int8 = roofline_chart(roofline({m}), {}, "int8");
  EXPECT_EQ(int8.y.label, "Performance [Top/s]");
  EXPECT_EQ(int8.x.label, "Arithmetic intensity [op/B], bytes counted at DRAM");
}

TEST(RooflineChart, names_too_many_for_one_label_get_another_and_keep_their_value) {
  Machine m = h200();
  m.rates.push_back({"fp16 without FMA", "fp16-vector", "spec", 66.91e12});
  const Chart chart = roofline_chart(roofline({m}));
  EXPECT_NE(line_named(chart, "fp32, fp64 tensor 66.91 Tflop/s"), nullptr);
  EXPECT_NE(line_named(chart, "fp16 without FMA 66.91 Tflop/s"), nullptr);
}

TEST(RooflineChart, close_measured_bandwidths_share_a_label) {
  EXPECT_NE(line_named(roofline_chart(roofline({h200()})), "DRAM measured 4.27 to 4.67 TB/s"), nullptr);
}

TEST(RooflineChart, a_result_without_ceilings_is_refused_in_a_sentence) {
  EXPECT_THROW(roofline_chart(Result{}), InputError);
  EXPECT_THROW(roofline_chart(roofline({{"bare", {}, {{"DRAM pin", "dram", "spec", 1e12}}}})), InputError);
  EXPECT_THROW(roofline_chart(roofline({{"bare", {{"fp32", "fp32", "spec", 1e12}}, {}}})), InputError);
  EXPECT_THROW(roofline_chart(roofline(
                   {{"nan", {{"fp32", "fp32", "spec", absent}}, {{"DRAM pin", "dram", "spec", -1}}}})),
               InputError);
}

} // namespace perfmodel::plots::roofline_test
