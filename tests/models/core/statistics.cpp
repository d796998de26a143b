#include "models/core/statistics.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace perfmodel::statistics_test {

using V = std::vector<double>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();

TEST(Statistics, the_median_is_the_middle_or_the_mean_of_the_two_middle_ones) {
  EXPECT_DOUBLE_EQ(median(V{7}), 7);
  EXPECT_DOUBLE_EQ(median(V{3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median(V{1, 2, 3, 4}), 2.5);
  EXPECT_DOUBLE_EQ(median(V{4, 1, 3, 2}), 2.5);
}

// Hyndman and Fan type 7, worked by hand: place = q (n - 1).
TEST(Statistics, quantiles_lie_on_the_line_between_neighbours) {
  const V eleven{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_DOUBLE_EQ(quantile(eleven, 0), 0);
  EXPECT_DOUBLE_EQ(quantile(eleven, 0.05), 0.5);
  EXPECT_DOUBLE_EQ(quantile(eleven, 0.95), 9.5);
  EXPECT_DOUBLE_EQ(quantile(eleven, 1), 10);
  EXPECT_DOUBLE_EQ(quantile(V{10, 20}, 0.25), 12.5);
}

TEST(Statistics, nothing_has_no_quantile_and_no_mean) {
  EXPECT_TRUE(std::isnan(median(V{})));
  EXPECT_TRUE(std::isnan(mean(V{})));
  EXPECT_TRUE(std::isnan(largest_magnitude(V{})));
  EXPECT_TRUE(std::isnan(mean(V{nan, inf, -inf})));
  EXPECT_TRUE(std::isnan(largest_magnitude(V{nan, inf})));
}

TEST(Statistics, absent_values_count_neither_in_the_mean_nor_in_the_worst) {
  EXPECT_DOUBLE_EQ(mean(V{1, nan, 3, inf}), 2);
  EXPECT_DOUBLE_EQ(largest_magnitude(V{1, -5, nan, 3, inf}), 5);
  EXPECT_DOUBLE_EQ(largest_magnitude(V{0}), 0);
}

} // namespace perfmodel::statistics_test
