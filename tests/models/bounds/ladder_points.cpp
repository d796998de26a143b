#include "models/bounds/points.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include "tests/models/error_of.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::ladder_points_test {

using Words = std::vector<std::string>;
using Numbers = std::vector<double>;

Column key(std::string name, Numbers cells) {
  return {.name = std::move(name), .role = Role::key, .cells = std::move(cells)};
}
Column key(std::string name, Words cells) {
  return {.name = std::move(name), .role = Role::key, .cells = std::move(cells)};
}
Column rate(std::string name, Numbers cells, Role role = Role::predicted) {
  return {.name = std::move(name), .role = role, .cells = std::move(cells)};
}

// Two versions at two sizes: 1 and 2 Tflop/s, 1 and 4 Tflop/s, in 2 s and 1 s, 16 s and 4 s.
Result ladder() {
  Table versions{.title = "versions"};
  versions.columns = {key("gpu", Words{"h200", "h200", "h200", "h200"}),
                      key("version", Words{"naive", "tiled", "naive", "tiled"}),
                      key("n", Numbers{1024, 1024, 4096, 4096}),
                      key("tile", Numbers{16, 16, 16, 16}),
                      rate("time", {2, 1, 16, 4}),
                      rate("performance", {1e12, 2e12, 1e12, 4e12}),
                      rate("intensity", {0.25, 4, 0.25, 4}),
                      {.name = "level", .role = Role::note, .cells = Words{"l1", "l1", "l1", "l2"}},
                      {.name = "precision", .role = Role::note, .cells = Words{"fp32", "fp32", "fp32", ""}}};
  return {.model = "matmul", .tables = {versions}};
}

Table comparison(const std::string& quantity, Numbers n, Words version, Numbers measured) {
  Table table{.title = "matmul " + quantity + ": of a product"};
  table.columns = {key("version", std::move(version)), key("n", std::move(n)),
                   key("tile", Numbers(measured.size(), 16)), rate("predicted", measured),
                   rate("measured", measured, Role::measured)};
  return table;
}

std::vector<RooflinePoint> read(const Result& result) { return RooflinePoints::from_result(result).points; }
std::string why(const Result& result) {
  return error_of([&] { RooflinePoints::from_result(result); });
}

TEST(LadderPoints, a_version_is_a_point_named_by_what_differs) {
  const auto p = read(ladder());
  ASSERT_EQ(p.size(), 4u);
  EXPECT_EQ(p[0].name, "naive, n 1024");
  EXPECT_EQ(p[3].name, "tiled, n 4096");
  EXPECT_EQ(p[0].gpu, "h200");
  EXPECT_DOUBLE_EQ(p[1].intensity.value, 4);
  EXPECT_DOUBLE_EQ(p[1].predicted.value, 2e12);
  EXPECT_TRUE(std::isnan(p[1].performance.value)) << "a prediction is no measurement";
  EXPECT_EQ(p[0].level, Level::l1);
  EXPECT_EQ(p[3].level, Level::l2);
  EXPECT_EQ(p[0].precision, Precision::fp32);
  EXPECT_EQ(p[3].precision, std::nullopt);
}

TEST(LadderPoints, versions_under_the_same_conditions_are_one_path) {
  const auto p = read(ladder());
  EXPECT_EQ(p[0].path, "matmul, n 1024");
  EXPECT_EQ(p[1].path, p[0].path);
  EXPECT_EQ(p[2].path, "matmul, n 4096");
  EXPECT_EQ(p[3].path, p[2].path);
}

TEST(LadderPoints, a_measured_rate_at_the_same_keys_stands_beside_the_prediction) {
  Result result = ladder();
  result.tables.push_back(comparison("performance", {4096, 512}, {"tiled", "tiled"}, {3e12, 9e12}));
  const auto p = read(result);
  EXPECT_DOUBLE_EQ(p[3].performance.value, 3e12);
  EXPECT_DOUBLE_EQ(p[3].predicted.value, 4e12);
  EXPECT_TRUE(std::isnan(p[1].performance.value)) << "measured at another n";
}

TEST(LadderPoints, a_measured_time_is_a_rate_of_the_same_work) {
  Result result = ladder();
  result.tables.push_back(comparison("time", {1024}, {"naive"}, {4}));
  EXPECT_DOUBLE_EQ(read(result)[0].performance.value, 0.5e12) << "1 Tflop/s for 2 s, done in 4 s";
}

TEST(LadderPoints, what_was_measured_under_other_conditions_is_not_taken) {
  Result more_keys = ladder();
  more_keys.tables.push_back(comparison("performance", {1024}, {"naive"}, {9e12}));
  more_keys.tables.back().columns.push_back(key("block", Words{"64x4"}));
  EXPECT_TRUE(std::isnan(read(more_keys)[0].performance.value));
  Result two_gpus = ladder();
  std::get<Words>(two_gpus.tables[0].columns[0].cells)[3] = "m2090";
  two_gpus.tables.push_back(comparison("performance", {1024}, {"naive"}, {9e12}));
  EXPECT_TRUE(std::isnan(read(two_gpus)[0].performance.value)) << "of which GPU?";
  Result other_quantity = ladder();
  other_quantity.tables.push_back(comparison("sectors", {1024}, {"naive"}, {9e12}));
  EXPECT_TRUE(std::isnan(read(other_quantity)[0].performance.value));
}

TEST(LadderPoints, a_version_that_cannot_run_is_left_out) {
  Result result = ladder();
  std::get<Numbers>(result.tables[0].columns[5].cells)[0] = absent;
  EXPECT_EQ(read(result).size(), 3u);
  for (double& rate : std::get<Numbers>(result.tables[0].columns[5].cells)) rate = absent;
  EXPECT_EQ(why(result), "points: no version with an intensity and a performance");
}

TEST(LadderPoints, what_does_no_arithmetic_is_refused_in_one_sentence) {
  EXPECT_EQ(why({.model = "transpose"}),
            "points: the result of 'transpose' has no intensity and performance: only versions that do "
            "arithmetic, such as those of reduction and matmul, have a place on a roofline");
}

TEST(LadderPoints, a_row_that_cannot_be_drawn_is_named) {
  Result result = ladder();
  std::get<Numbers>(result.tables[0].columns[6].cells)[2] = -1;
  EXPECT_EQ(why(result), "points, table 'versions', row 3: intensity and performance must be positive");
  result = ladder();
  std::get<Words>(result.tables[0].columns[7].cells)[1] = "l9";
  EXPECT_EQ(why(result), "points, table 'versions', row 2: unknown level 'l9'");
  result = ladder();
  std::get<Words>(result.tables[0].columns[1].cells)[1] = std::string(1001, 'x');
  EXPECT_EQ(why(result), "points: the name of a version is too long or binary data");
}

} // namespace perfmodel::ladder_points_test
