// Kernels given as points, each with what it says of itself.
#include "models/bounds/roofline.hpp"

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::roofline_points_test {

Roofline::Kernel at(const Gpu& gpu, double intensity, Roofline::Input in = {}) {
  in.intensity = FlopsPerByte(intensity);
  Plain plain;
  return Roofline::kernels(gpu, in, plain).at(0);
}

Roofline::Input points(const std::string& rows) {
  Roofline::Input in;
  in.points = RooflinePoints::from_csv("name,intensity,predicted,path,precision,level,gpu\n" + rows);
  return in;
}

TEST(RooflinePoints, a_point_with_a_precision_and_level_of_its_own_is_held_against_those) {
  Plain plain;
  const Gpu a100 = gpu_named("a100-80");
  Roofline::Input in = points("a,1,1e12,up,bf16,l2,\nb,1,,,,,\n");
  in.precision = Precision::fp64;
  const auto k = Roofline::kernels(a100, in, plain);
  ASSERT_EQ(k.size(), 2u);
  EXPECT_EQ(k[0].precision, Precision::bf16);
  EXPECT_EQ(k[0].level, Level::l2);
  EXPECT_DOUBLE_EQ(k[0].performance.value, a100.at(facts::sustained_l2).value.value);
  EXPECT_DOUBLE_EQ(k[0].of_roof, 1e12 / k[0].performance.value)
      << "what is predicted, where none was measured";
  EXPECT_EQ(k[0].path, "up");
  EXPECT_EQ(k[1].precision, Precision::fp64);
  EXPECT_DOUBLE_EQ(k[1].performance.value, a100.at(facts::dram_bandwidth).value.value);
}

TEST(RooflinePoints, a_point_of_another_device_is_left_out) {
  Plain plain;
  const auto k = Roofline::kernels(gpu_named("m2090"), points("a,1,,,,,h200\nb,1,,,,,m2090\n"), plain);
  ASSERT_EQ(k.size(), 1u);
  EXPECT_EQ(k[0].name, "b");
}

TEST(RooflinePoints, a_level_of_unknown_bandwidth_leaves_the_banks_or_arithmetic_alone) {
  Plain plain;
  const auto k = Roofline::kernels(gpu_named("m2090"), points("a,0.25,,,,l1,\nb,0.25,,,,l2,\n"), plain);
  EXPECT_NEAR(k[0].performance.value, 0.25 * 1332.2e9, 1e8) << "shared memory's banks are L1's";
  EXPECT_NEAR(k[1].performance.value, 1332.2e9, 1e8);
  EXPECT_TRUE(std::isnan(k[1].ridge.value));
  EXPECT_EQ(k[1].verdict, "no bandwidth of l2 is known: held against arithmetic alone");
}

// Of a long list only the first are explained; the others are found in the same way.
TEST(RooflinePoints, fifteen_hundred_points_are_all_there) {
  std::string csv = "name,intensity,performance\n";
  for (int i = 1; i <= 1500; ++i) csv += "k" + std::to_string(i) + ",1,5e10\n";
  const Result r = ask("roofline", toy(), {{"points", csv}});
  ASSERT_EQ(table_of(r, "kernels").rows(), 1500);
  for (const std::size_t row : {999, 1000, 1499}) {
    EXPECT_EQ(text(r, "kernels", "name", row), "k" + std::to_string(row + 1));
    EXPECT_DOUBLE_EQ(number(r, "kernels", "of_roof", row), 0.5);
  }
}

TEST(RooflinePoints, factors_of_thousands_are_written_in_full) {
  const Result r = ask("roofline", toy(), {{"points", "name,intensity,performance\na,0.003,1e5\n"}});
  EXPECT_EQ(text(r, "kernels", "verdict", 0),
            "memory-bound, 3333x below the ridge; 3000x below the memory roof");
}

TEST(RooflinePoints, points_of_a_file_are_kernels_of_their_own_names) {
  const Result r = ask("roofline", toy(), {{"points", "name,intensity,performance\na,1,5e10\nb,100,5e11\n"}});
  EXPECT_EQ(text(r, "kernels", "name", 1), "b");
  EXPECT_DOUBLE_EQ(number(r, "kernels", "of_roof", 0), 0.5);
  EXPECT_EQ(text(r, "kernels", "verdict", 0), "memory-bound, 10x below the ridge; 2x below the memory roof");
  EXPECT_EQ(text(r, "kernels", "verdict", 1), "compute-bound, 10x above the ridge; 2x below the fp32 roof");
}

// A point above a roof is nearest to none.
TEST(RooflinePoints, the_verdict_tells_points_above_the_roof_from_the_nearest) {
  const auto verdict = [](const std::string& points) {
    return ask("roofline", toy(), {{"points", "name,intensity,performance\n" + points}}).verdict.front();
  };
  EXPECT_EQ(verdict("a,1,5e10\nb,1,2e10\nover,1,1e15\n"),
            "3 of 3 kernels are memory-bound; nearest to its roof is a with 50 %, farthest b with 20 %. One "
            "is above "
            "the roof, which nothing can be.");
  EXPECT_EQ(verdict("a,1,1e15\nb,1,1e14\n"),
            "2 of 2 kernels are memory-bound. 2 are above the roof, which nothing can be.");
}

} // namespace perfmodel::roofline_points_test
