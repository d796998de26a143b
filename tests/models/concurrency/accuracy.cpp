#include "models/concurrency/rounding.hpp"

#include "hwdb/measured.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace perfmodel::accuracy_test {

double of(const char* gpu, const char* operation, const char* column, const Words& more = {}) {
  Words words{{"operation", operation}};
  words.insert(words.end(), more.begin(), more.end());
  return table_of(ask("accuracy", gpu_named(gpu), words), "errors").at(column).number(0);
}

// 1.5 x 1.75 = 2.625 and 2.625 + 1 = 3.625 are floats: nobody rounds. (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46.
TEST(Rounding, worked_by_hand) {
  const rounding::Operands even{1.5F, 1.75F, 1};
  for (const auto rounded : {rounding::fused, rounding::apart, rounding::cut_off})
    EXPECT_EQ(rounded(even), 3.625F);
  const float just_above = 1 + 0x1p-23F;
  const rounding::Operands left{just_above, just_above, -(1 + 0x1p-22F)};
  EXPECT_EQ(rounding::fused(left), 0x1p-46F);
  EXPECT_EQ(rounding::apart(left), 0);
  EXPECT_EQ(rounding::cut_off(left), 0);
  // (2 - 2^-23)^2 = 4 - 2^-21 + 2^-46, three quarters of an ulp of 2^-22 are not reached: cut off as rounded.
  // (1 + 2^-23) (1 + 2^-1) = 1.5 + 1.5 x 2^-23: half an ulp is cut off, and rounded to even.
  const rounding::Operands half{just_above, 1.5F, -1.5F};
  EXPECT_EQ(rounding::fused(half), 1.5F * 0x1p-23F);
  EXPECT_EQ(rounding::cut_off(half), 0x1p-23F);
  EXPECT_EQ(rounding::apart(half), 0x1p-22F);
}

// The processor's own fused multiply-add, and its own product and sum.
TEST(Rounding, is_what_the_processor_does) {
  for (const int cancelled : {0, 7, 22})
    for (const rounding::Operands& o : rounding::operands(cancelled, 4096)) {
      ASSERT_EQ(rounding::fused(o), std::fma(o.x, o.y, o.z));
      const volatile float product = o.x * o.y;
      ASSERT_EQ(rounding::apart(o), product + o.z);
    }
}

TEST(Rounding, an_ulp_is_the_distance_to_the_next_float) {
  for (const float x : {1.F, 1.99F, 2.F, 0.1F, 3e-40F, 1e30F})
    EXPECT_EQ(rounding::ulp_of(x), static_cast<double>(std::nextafter(x, INFINITY)) - x) << x;
}

TEST(Accuracy, a_fused_multiply_add_is_never_off_by_more_than_half_an_ulp) {
  for (const char* bits : {"0", "1", "10", "22"}) {
    EXPECT_LE(of("h200", "fmad", "ulp", {{"cancelled", bits}}), 0.5) << bits;
    EXPECT_GT(of("h200", "fmad", "mean_ulp", {{"cancelled", bits}}), 0) << bits;
  }
}

// One ulp of the product is lost at most and half of one of the sum, whose ulp is the same or twice it.
TEST(Accuracy, mad_loses_up_to_one_and_a_half_ulp_and_more_with_every_bit_that_cancels) {
  const double none = of("gtx280", "mad", "ulp");
  EXPECT_GT(none, 1.2);
  EXPECT_LE(none, 1.5);
  EXPECT_LT(of("gtx280", "mul-add", "ulp"), none) << "rounding loses half of what cutting off does";
  const double ten = of("gtx280", "mad", "ulp", {{"cancelled", "10"}}),
               twenty = of("gtx280", "mad", "ulp", {{"cancelled", "20"}});
  EXPECT_GT(ten, 500);
  EXPECT_GT(twenty / ten, 500); // 2^10, or twice it where the rounded addend took another bit away
  EXPECT_LT(twenty / ten, 2200);
}

// 2^-21.41 over the ulp of sin(1) = 0.84, which is 2^-24; of sin(3) = 0.14 it is 2^-26.
TEST(Accuracy, the_fast_sine_is_as_wrong_everywhere_and_so_far_off_near_a_zero) {
  EXPECT_NEAR(of("h200", "__sinf", "bound"), std::exp2(24 - 21.41), 1e-9);
  EXPECT_NEAR(of("h200", "__sinf", "bound", {{"argument", "3"}}), std::exp2(26 - 21.41), 1e-9);
  EXPECT_TRUE(std::isnan(of("h200", "__sinf", "bound", {{"argument", "4"}}))) << "nothing is promised there";
  EXPECT_EQ(of("h200", "sinf", "bound"), 2.5);
}

TEST(Accuracy, division_is_rounded_since_cc_2_and_the_fast_one_never) {
  EXPECT_EQ(of("h200", "division", "bound"), 0.5);
  EXPECT_EQ(of("gtx280", "division", "bound"), 2.5);
  EXPECT_EQ(of("h200", "__fdividef", "bound"), 2.5);
}

TEST(Accuracy, what_is_faster_is_never_more_accurate) {
  for (const auto& [fast, slow] : {std::pair{"__sinf", "sinf"}, {"__fdividef", "division"}}) {
    EXPECT_GT(of("h200", fast, "throughput"), of("h200", slow, "throughput"));
    EXPECT_GE(of("h200", fast, "bound"), of("h200", slow, "bound"));
  }
}

TEST(Accuracy, asks_that_make_no_sense_are_refused_in_a_sentence) {
  const auto said = [](const char* gpu, const Words& words) {
    return error_of([&] { ask("accuracy", gpu_named(gpu), words); });
  };
  EXPECT_EQ(said("h200", {{"operation", "mad"}}),
            "--operation mad: h200 has no rate for mad: MAD is of cc 1.x");
  EXPECT_EQ(said("gtx280", {{"operation", "fmad"}}),
            "--operation fmad: gtx280 has no rate for fmad: FMAD is of cc 2.0 and later");
  EXPECT_EQ(said("apple-m1", {{"operation", "sinf"}}),
            "--operation sinf: apple-m1 has no rate for sinf: CUDA's functions are of NVIDIA's");
  EXPECT_EQ(said("h200", {{"argument", "0"}}),
            "--argument 0: its sine is 0, which has no last place to count errors in");
  EXPECT_EQ(said("h200", {{"cancelled", "23"}}), "--cancelled 23: 0 to 22 whole bits of 24 can cancel");
}

// Expected: what is promised. Measured: the worst of many operands on a GPU, against fp64.
TEST(Accuracy, functions_were_measured_within_their_bounds) {
  std::size_t checked = 0;
  for (const auto& file : database().measured_files("h200"))
    for (const Series& series : hwdb::series_of(database().run(file), "run")) {
      if (series.model != "accuracy") continue;
      for (std::size_t row = 0; row < series.table.rows(); ++row) {
        const std::string operation = series.table.at("operation").text(row);
        const std::string argument = std::to_string(series.table.at("argument").number(row));
        const double bound = of("h200", operation.c_str(), "bound", {{"argument", argument.c_str()}});
        if (std::isnan(bound)) continue;
        EXPECT_LE(series.table.at("ulp").number(row), bound) << operation << " of " << argument;
        ++checked;
      }
    }
  EXPECT_GE(checked, 14U); // six sines of either kind, two divisions
}

} // namespace perfmodel::accuracy_test
