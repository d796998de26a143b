#include "models/bounds/roofline.hpp"

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"
#include "models/core/what_if.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::roofline_test {

Roofline::Kernel at(const Gpu& gpu, double intensity, Roofline::Input in = {}) {
  in.intensity = FlopsPerByte(intensity);
  Plain plain;
  return Roofline::kernels(gpu, in, plain).at(0);
}

double rate_at(const Gpu& gpu, double intensity, const Roofline::Input& in = {}) {
  return at(gpu, intensity, in).performance.value;
}

Roofline::Machine machine(const Gpu& gpu, const Roofline::Input& in = {}) {
  Plain plain;
  return Roofline::machine(gpu, in, plain);
}

// (n - 1) additions of 4 n bytes: 0.25 flop/B. x 177.4 = 44.35, x 125 = 31.25 Gflop/s, worked by hand.
TEST(Roofline, a_reduction_on_the_m2090_is_bound_by_memory_at_44_and_31_gflops) {
  const Gpu m2090 = gpu_named("m2090");
  Roofline::Input measured;
  measured.basis = Basis::measured;
  EXPECT_DOUBLE_EQ(rate_at(m2090, 0.25), 44.35e9);
  EXPECT_DOUBLE_EQ(rate_at(m2090, 0.25, measured), 31.25e9);
  EXPECT_EQ(at(m2090, 0.25).bound, Bound::memory);
}

// 4 B for each flop: 804.8 Gflop/s x 4 B = 3.2 TB/s wanted, 111.9 GB/s / 4 B = 28 Gflop/s had (Giorgi).
TEST(Roofline, a_naive_matrix_product_on_the_gtx_260_reaches_28_gflops_of_the_3_2_terabytes_it_would_need) {
  Roofline::Input in;
  in.precision = Precision::fp32_mad_mul;
  const Roofline::Kernel k = at(gpu_named("gtx260"), 0.25, in);
  EXPECT_NEAR(k.performance.value, 27.975e9, 1e6);
  EXPECT_NEAR(k.bandwidth_needed.value, 3.219e12, 1e9);
  EXPECT_EQ(k.bound, Bound::memory);
}

// 2e12 flop in 20 ms are 100 Tflop/s; the fp32 roof is 132 x 128 x 2 x 1.98 GHz = 66.9.
TEST(Roofline, a_kernel_above_the_fp32_roof_is_told_so_with_the_likely_reasons) {
  const Result r =
      ask("roofline", gpu_named("h200"), {{"flops", "2e12"}, {"bytes", "64GB"}, {"time", "20ms"}});
  EXPECT_DOUBLE_EQ(number(r, "kernels", "intensity"), 31.25);
  EXPECT_DOUBLE_EQ(number(r, "kernels", "achieved"), 1e14);
  EXPECT_NEAR(number(r, "kernels", "of_roof"), 1.4946, 1e-4);
  EXPECT_EQ(text(r, "kernels", "bound"), "compute");
  EXPECT_EQ(text(r, "kernels", "verdict"),
            "149.5 % of the fp32 roof, which nothing can be: wrong precision (are the operations on the "
            "tensor units?), operations "
            "counted that were not done, or a clock above the one the roof assumes");
}

// The bf16 ridge is 989.4 / 4.814 = 205.5 flop/B, 6.58 x the kernel's 31.25; its roof 31.25 x 4.814 = 150.4
// Tflop/s.
TEST(Roofline, the_same_kernel_in_bf16_is_on_the_memory_side_with_its_distance_to_the_roof) {
  const Result r = ask("roofline", gpu_named("h200"),
                       {{"precision", "bf16"}, {"flops", "2e12"}, {"bytes", "64GB"}, {"time", "20ms"}});
  EXPECT_EQ(text(r, "kernels", "bound"), "memory");
  EXPECT_NEAR(number(r, "kernels", "performance"), 150.4e12, 0.1e12);
  EXPECT_EQ(text(r, "kernels", "verdict"), "memory-bound, 6.58x below the ridge; 1.5x below the memory roof");
  EXPECT_NEAR(number(r, "kernels", "least_time"), 64e9 / 4.814304e12, 1e-9);
}

// 1 Gflop over 1 GB in 10 ms: 100 Gflop/s, of 177.4 at the pins and of 125 that are reached.
TEST(Roofline, what_was_reached_is_a_share_of_the_specified_and_of_the_measured_roof) {
  const Result r =
      ask("roofline", gpu_named("m2090"), {{"flops", "1Gflop"}, {"bytes", "1GB"}, {"time", "10ms"}});
  EXPECT_NEAR(number(r, "kernels", "of_roof"), 100 / 177.4, 1e-3);
  EXPECT_NEAR(number(r, "kernels", "of_measured"), 0.8, 1e-3);
  EXPECT_NE(r.verdict.at(0).find("of that and 80 % of what the measured bandwidth allows"), std::string::npos)
      << r.verdict.at(0);
}

// 33.45 Tflop/s of fp64 over 9.279 TB/s of L2.
TEST(Roofline, of_another_memory_level_the_ridge_is_that_levels) {
  const Gpu gpu = with_fact(gpu_named("h200"), "sustained.l2", 9.279e12);
  const Result r = ask("roofline", gpu, {{"precision", "fp64"}, {"level", "l2"}});
  EXPECT_NEAR(number(r, "compute ceilings", "ridge"), 33.45 / 9.279, 1e-2);
  EXPECT_EQ(r.verdict.at(0).find("Memory-bound below 3.605 flop/B: L2 delivers 9.279 TB/s"), 0u)
      << r.verdict.at(0);
}

TEST(Roofline, above_the_memory_roof_the_reasons_are_those_of_memory) {
  const Result r = ask("roofline", toy(), {{"flops", "2e9"}, {"bytes", "1GB"}, {"time", "5ms"}});
  EXPECT_EQ(text(r, "kernels", "verdict"),
            "200 % of the memory roof, which nothing can be: bytes counted that never reached this level "
            "(served by a cache), a "
            "write-back still under way when the time was read, or operations counted that were not done");
}

TEST(Roofline, the_ridge_is_where_the_bound_changes) {
  EXPECT_EQ(at(toy(), std::nextafter(10, 0)).bound, Bound::memory);
  EXPECT_EQ(at(toy(), 10).bound, Bound::compute);
  EXPECT_EQ(at(toy(), std::nextafter(10, 11)).bound, Bound::compute);
  EXPECT_DOUBLE_EQ(at(toy(), 1).ridge.value, 10);
}

TEST(Roofline, is_continuous_at_the_ridge_of_every_gpu) {
  for (const Gpu& gpu : every_gpu()) {
    const double ridge = at(gpu, 1).ridge.value, before = rate_at(gpu, ridge * (1 - 1e-9)),
                 on = rate_at(gpu, ridge), after = rate_at(gpu, ridge * (1 + 1e-9));
    EXPECT_NEAR(before / on, 1, 1e-8) << gpu.name;
    EXPECT_NEAR(after / on, 1, 1e-12) << gpu.name;
    EXPECT_LT(before, on) << gpu.name;
  }
}

TEST(Roofline, never_falls_with_intensity_and_never_passes_either_roof) {
  for (const Gpu& gpu : every_gpu())
    for (const ArithmeticUnit* unit : units_of(gpu, std::nullopt))
      for (const Basis basis : {Basis::spec, Basis::measured}) {
        Roofline::Input in;
        in.precision = unit->precision;
        in.basis = basis;
        Plain plain;
        const double p = base_value(rate(gpu, *units_of(gpu, unit->precision).front(), basis, plain)),
                     beta = base_value(bandwidth(gpu, Level::dram, basis, plain));
        double before = 0;
        for (double i = 1 / 64.0; i < 1e5; i *= 1.7) {
          const double now = rate_at(gpu, i, in);
          EXPECT_GE(now, before) << gpu.name << " " << unit->name << " at " << i;
          EXPECT_LE(now, p) << gpu.name << " " << unit->name << " at " << i;
          EXPECT_LE(now, i * beta) << gpu.name << " " << unit->name << " at " << i;
          before = now;
        }
        EXPECT_DOUBLE_EQ(before, p) << gpu.name << " " << unit->name;
      }
}

TEST(Roofline, scales_with_the_clock_on_the_compute_side_and_not_on_the_memory_side) {
  for (const Gpu& gpu : every_gpu()) {
    const double clock = gpu.at(facts::clock).value.value;
    const Gpu slow = with_fact(gpu, "clock", clock), fast = with_fact(gpu, "clock", 2 * clock);
    EXPECT_DOUBLE_EQ(rate_at(fast, 1e5), 2 * rate_at(slow, 1e5)) << gpu.name;
    EXPECT_DOUBLE_EQ(rate_at(fast, 1e-3), rate_at(slow, 1e-3)) << gpu.name;
  }
}

TEST(Roofline, smoother_combinations_lie_between_max_and_sum) {
  const auto with = [](const char* how, double intensity) {
    Roofline::Input in;
    in.combine = how;
    return rate_at(toy(), intensity, in);
  };
  for (const double i : {0.1, 5.0, 9.0, 10.0, 11.0, 1000.0}) {
    EXPECT_GE(with("max", i), with("p=4.6", i)) << i;
    EXPECT_GE(with("p=4.6", i), with("p=2", i)) << i;
    EXPECT_GE(with("p=2", i), with("sum", i)) << i;
  }
  EXPECT_DOUBLE_EQ(with("max", 10), 1e12);
  EXPECT_DOUBLE_EQ(with("sum", 10), 0.5e12);
  EXPECT_NE(error_of([&] { with("min", 1); }), "no error");
}

TEST(Roofline, a_kernel_needs_two_of_three_figures) {
  const auto why = [](const Words& options) { return error_of([&] { ask("roofline", toy(), options); }); };
  EXPECT_EQ(why({{"flops", "1"}}), "--flops needs --bytes or --intensity beside it");
  EXPECT_EQ(why({{"bytes", "1"}}), "--bytes needs --flops, --intensity or --time beside it");
  EXPECT_EQ(why({{"time", "1"}}), "--time needs --flops and --bytes beside it");
  EXPECT_EQ(why({{"intensity", "1"}, {"time", "1"}}), "--time needs --flops or --bytes beside it");
  EXPECT_EQ(why({{"intensity", "1"}, {"flops", "1"}, {"bytes", "1"}}),
            "--intensity is --flops over --bytes: give two of the three");
  EXPECT_EQ(why({{"flops", "1e300"}, {"bytes", "1"}}),
            "--flops: 1e+282 Eflop given, at most 1 000 000 000 000 Eflop is expected");
  EXPECT_EQ(why({{"flops", "1"}, {"bytes", "1"}}), "no error");
  EXPECT_EQ(why({{"intensity", "1"}, {"flops", "1"}}), "no error");
  EXPECT_EQ(why({{"intensity", "1"}, {"bytes", "1"}}), "no error");
}

TEST(Roofline, bytes_and_intensity_say_as_much_as_flops_and_bytes) {
  const Result a = ask("roofline", toy(), {{"intensity", "2"}, {"bytes", "1GB"}, {"time", "1s"}}),
               b = ask("roofline", toy(), {{"flops", "2e9"}, {"bytes", "1GB"}, {"time", "1s"}});
  for (const char* column : {"achieved", "least_time", "of_roof"})
    EXPECT_DOUBLE_EQ(number(a, "kernels", column), number(b, "kernels", column)) << column;
  EXPECT_DOUBLE_EQ(number(a, "kernels", "least_time"), 0.01);
}

TEST(Roofline, without_a_kernel_only_the_machine_is_described) {
  const Result r = ask("roofline", toy());
  ASSERT_EQ(r.tables.size(), 2u);
  EXPECT_EQ(r.tables[0].title, "compute ceilings");
  EXPECT_EQ(r.tables[1].title, "bandwidth ceilings");
}

TEST(Ceilings, half_the_rate_is_left_without_fma_where_the_unit_fuses) {
  for (const Gpu& gpu : every_gpu()) {
    const auto [compute, memory] = machine(gpu);
    for (std::size_t i = 1; i < compute.size(); ++i) {
      if (compute[i].ceiling.find(" without FMA") == std::string::npos) continue;
      EXPECT_EQ(compute[i].ceiling, compute[i - 1].ceiling + " without FMA") << gpu.name;
      EXPECT_DOUBLE_EQ(compute[i].rate.value, compute[i - 1].rate.value / 2) << gpu.name;
      EXPECT_DOUBLE_EQ(compute[i].ridge.value, compute[i - 1].ridge.value / 2) << gpu.name;
      EXPECT_EQ(compute[i].ceiling.find("tensor"), std::string::npos) << gpu.name;
    }
    EXPECT_EQ(memory.front().ceiling, "DRAM pin") << gpu.name;
  }
}

TEST(Ceilings, name_the_clock_they_assume) {
  const auto [compute, memory] = machine(gpu_named("h200"));
  for (const Roofline::ComputeCeiling& c : compute) {
    if (c.ceiling == "bf16 tensor") {
      EXPECT_DOUBLE_EQ(c.clock.value, 1.83e9);
    }
    if (c.ceiling == "fp32") {
      EXPECT_DOUBLE_EQ(c.clock.value, 1.98e9);
    }
  }
}

TEST(Ceilings, the_measured_ridge_is_there_where_a_bandwidth_was_measured) {
  const auto m2090 = std::get<0>(machine(gpu_named("m2090")));
  EXPECT_NEAR(m2090.front().ridge_measured / m2090.front().ridge, 177.4 / 125, 1e-9);
  EXPECT_TRUE(std::isnan(std::get<0>(machine(toy())).front().ridge_measured.value));
}

TEST(Ceilings, of_a_machine_set_slower_have_nothing_measured_above_them) {
  const Result r = ask("roofline", with_facts(gpu_named("m2090"), {{"dram.bandwidth", "100GB/s"}}));
  const Table& ceilings = table_of(r, "bandwidth ceilings");
  const std::size_t row = row_of(ceilings, "ceiling", "DRAM measured");
  EXPECT_DOUBLE_EQ(ceilings.at("bandwidth").number(row), 125e9 * 100 / 177.4) << "its share of the pins";
  EXPECT_EQ(ceilings.at("grade").text(row), "inherited") << "nobody measured it there";
}

// 95 % of the roof away from the ridge, 86 % within a factor 2 of it (issue 2, section 4).
TEST(Tolerance, is_wider_within_a_factor_two_of_the_ridge) {
  const auto of = [](double intensity) {
    Roofline::Input in;
    in.intensity = FlopsPerByte(intensity);
    return Roofline::tolerance(toy(), in);
  };
  EXPECT_DOUBLE_EQ(of(5), 1 / 0.95 - 1);
  EXPECT_DOUBLE_EQ(of(std::nextafter(5, 6)), 1 / 0.86 - 1);
  EXPECT_DOUBLE_EQ(of(10), 1 / 0.86 - 1);
  EXPECT_DOUBLE_EQ(of(std::nextafter(20, 0)), 1 / 0.86 - 1);
  EXPECT_DOUBLE_EQ(of(20), 1 / 0.95 - 1);
  EXPECT_DOUBLE_EQ(Roofline::tolerance(toy(), {}), 1 / 0.95 - 1) << "no kernel, the model's own";
}

} // namespace perfmodel::roofline_test
