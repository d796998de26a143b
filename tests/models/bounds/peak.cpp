#include "models/bounds/peak.hpp"

#include "models/core/quantity_text.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::peak_test {

const ArithmeticUnit& unit_named(std::string_view name) {
  for (const ArithmeticUnit& u : arithmetic_units())
    if (u.name == name) return u;
  throw std::runtime_error("no such unit");
}

double peak_of(const Gpu& gpu, std::string_view unit) {
  Plain plain;
  return base_value(peak(gpu, unit_named(unit), plain));
}

std::string served_by(const Gpu& gpu, std::optional<Precision> precision) {
  std::string all;
  for (const ArithmeticUnit* u : units_of(gpu, precision))
    all += (all.empty() ? "" : ", ") + std::string(u->name);
  return all;
}

// SMs x results per clock x operations x clock, worked by hand.
TEST(Peak, is_the_product_of_its_factors) {
  EXPECT_DOUBLE_EQ(peak_of(gpu_named("m2090"), "fp32"), 16 * 32 * 2 * 1.301e9);
  EXPECT_DOUBLE_EQ(peak_of(gpu_named("m2090"), "fp64"), 16 * 16 * 2 * 1.301e9);
  EXPECT_DOUBLE_EQ(peak_of(gpu_named("gtx280"), "fp32"), 30 * 8 * 2 * 1.296e9);
  EXPECT_DOUBLE_EQ(peak_of(gpu_named("h200"), "fp32"), 132 * 128 * 2 * 1.98e9);
}

// GTX 260: 805 Gflop/s count a MAD and a MUL, 536.5 the MAD alone (R. Giorgi,
// Clusters, lesson 30, slide 19, prints 805).
TEST(Peak, of_a_gtx_260_depends_on_what_is_counted) {
  EXPECT_NEAR(peak_of(gpu_named("gtx260"), "fp32 MAD+MUL"), 804.8e9, 0.1e9);
  EXPECT_NEAR(peak_of(gpu_named("gtx260"), "fp32"), 536.5e9, 0.1e9);
}

// Hopper prints its tensor peaks at 1830 MHz and boosts to 1980.
TEST(Peak, assumes_the_clock_its_fact_names_and_moves_with_it) {
  const Gpu h200 = gpu_named("h200");
  EXPECT_EQ(clock_of(h200, unit_named("bf16 tensor")).path, "clock.tensor");
  EXPECT_EQ(clock_of(h200, unit_named("fp32")).path, "clock");
  EXPECT_NEAR(peak_of(h200, "bf16 tensor"), 989e12, 1e12);
  const Gpu slow = with_facts(h200, {{"clock.tensor", "915 MHz"}});
  EXPECT_NEAR(peak_of(slow, "bf16 tensor"), 989e12 / 2, 1e12);
  const Gpu same = with_facts(h200, {{"clock", "1980 MHz"}}); // its present value changes nothing
  EXPECT_EQ(peak_of(same, "bf16 tensor"), peak_of(h200, "bf16 tensor"));
  EXPECT_EQ(peak_of(same, "fp32"), peak_of(h200, "fp32"));
}

TEST(Peak, that_is_set_wins_over_the_product) {
  EXPECT_DOUBLE_EQ(peak_of(with_facts(gpu_named("m2090"), {{"peak.fp32", "1 Tflop/s"}}), "fp32"), 1e12);
}

TEST(Peak, is_the_printed_figure_where_no_throughput_is_known) {
  Gpu gpu = toy();
  gpu.facts.erase("throughput.fp32_fma");
  gpu.facts["peak.fp32"] = {.values = {7e12}, .source = "a box"};
  EXPECT_DOUBLE_EQ(peak_of(gpu, "fp32"), 7e12);
}

TEST(Rate, is_the_sustained_one_on_the_measured_basis_where_it_is_known) {
  Plain plain;
  const ArithmeticUnit& fp32 = unit_named("fp32");
  EXPECT_DOUBLE_EQ(base_value(rate(toy(), fp32, Basis::measured, plain)), 1e12);
  const Gpu measured = with_facts(toy(), {{"sustained.fp32", "0.9 Tflop/s"}});
  EXPECT_DOUBLE_EQ(base_value(rate(measured, fp32, Basis::measured, plain)), 0.9e12);
  EXPECT_DOUBLE_EQ(base_value(rate(measured, fp32, Basis::spec, plain)), 1e12);
}

TEST(Rate, that_was_sustained_goes_with_the_machine_and_is_never_above_its_peak) {
  Plain plain;
  const ArithmeticUnit& fp32 = unit_named("fp32");
  Gpu gpu = toy(); // 1 Tflop/s at 1 GHz
  gpu.facts["sustained.fp32"] = {.values = {0.9e12}, .layer = Layer::measured};
  const auto measured = [&](const Words& facts) {
    return base_value(rate(with_facts(gpu, facts), fp32, Basis::measured, plain));
  };
  EXPECT_DOUBLE_EQ(measured({}), 0.9e12);
  EXPECT_DOUBLE_EQ(measured({{"clock", "0.8GHz"}}), 0.72e12) << "90 % of that peak as well";
  EXPECT_DOUBLE_EQ(measured({{"sm_count", "5"}}), 0.45e12);
  EXPECT_DOUBLE_EQ(measured({{"throughput.fp32_fma", "25 1/cycle"}}), 0.5e12);
  EXPECT_DOUBLE_EQ(measured({{"peak.fp32", "0.3 Tflop/s"}}), 0.3e12);
  EXPECT_DOUBLE_EQ(measured({{"dram.bandwidth", "1GB/s"}}), 0.9e12) << "no fact of the unit";
}

TEST(Units, plain_half_precision_means_the_tensor_units_where_there_are_some) {
  const Gpu h200 = gpu_named("h200");
  EXPECT_EQ(served_by(h200, Precision::fp16), "fp16 tensor, fp16");
  EXPECT_EQ(served_by(h200, Precision::fp16_vector), "fp16");
  EXPECT_EQ(served_by(h200, Precision::fp64), "fp64");
  EXPECT_EQ(served_by(h200, Precision::fp64_tensor), "fp64 tensor");
  EXPECT_EQ(units_of(gpu_named("p100"), Precision::fp16).front()->name, "fp16")
      << "a P100 has no tensor units";
}

TEST(Units, a_precision_the_device_lacks_is_answered_with_those_it_has) {
  EXPECT_EQ(error_of([] { units_of(toy(), Precision::fp8); }), "toy has no rate for fp8; it has fp32");
}

TEST(Units, names_and_precisions_agree) {
  std::size_t i = 0;
  for (const ArithmeticUnit& u : arithmetic_units()) {
    EXPECT_LT(static_cast<std::size_t>(u.precision), names(Precision{}).size());
    EXPECT_EQ(u.fused, u.operations == 2 && u.name.find("tensor") == std::string_view::npos) << u.name;
    ++i;
  }
  EXPECT_EQ(i, names(Precision{}).size()) << "each precision has one unit";
}

} // namespace perfmodel::peak_test
