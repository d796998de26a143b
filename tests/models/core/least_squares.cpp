#include "models/core/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::test {
namespace {

// By hand: through (0, 1), (1, 2), (2, 2) the line 7/6 + x/2, with squares of 1/6 left; the standard errors
// are sqrt(1/6 x 5/6) and sqrt(1/6 / 2) (Draper and Smith, Applied Regression Analysis, section 1.4).
TEST(LeastSquares, of_a_line_are_those_by_hand) {
  const double y[] = {1, 2, 2};
  const auto fitted = least_squares(
      3, 2, [](std::size_t row, std::size_t c) { return c == 0 ? 1.0 : static_cast<double>(row); },
      [&](std::size_t row) { return y[row]; });
  ASSERT_EQ(fitted.size(), 2u);
  EXPECT_NEAR(fitted[0].value, 7. / 6, 1e-12);
  EXPECT_NEAR(fitted[1].value, 0.5, 1e-12);
  EXPECT_NEAR(fitted[0].deviation, std::sqrt(5. / 36), 1e-12);
  EXPECT_NEAR(fitted[1].deviation, std::sqrt(1. / 12), 1e-12);
}

TEST(LeastSquares, terms_may_differ_by_orders_of_magnitude) {
  const auto fitted = least_squares(
      4, 2,
      [](std::size_t row, std::size_t c) {
        const double x = static_cast<double>(row + 1);
        return c == 0 ? x * 1e13 : 1e-3 * x * x;
      },
      [](std::size_t row) {
        const double x = static_cast<double>(row + 1);
        return 3 * x + 5 * x * x;
      });
  ASSERT_EQ(fitted.size(), 2u);
  EXPECT_NEAR(fitted[0].value, 3e-13, 1e-22);
  EXPECT_NEAR(fitted[1].value, 5e3, 1e-6);
}

TEST(LeastSquares, of_what_the_rows_do_not_tell_apart_there_are_none) {
  const auto one = [](std::size_t) { return 1.0; };
  EXPECT_TRUE(least_squares(
                  3, 2, [](std::size_t, std::size_t c) { return c == 0 ? 1.0 : 2.0; }, one)
                  .empty());
  EXPECT_TRUE(least_squares(
                  3, 1, [](std::size_t, std::size_t) { return 0.0; }, one)
                  .empty());
  EXPECT_TRUE(least_squares(
                  1, 2, [](std::size_t, std::size_t) { return 1.0; }, one)
                  .empty());
  EXPECT_TRUE(least_squares(
                  3, 0, [](std::size_t, std::size_t) { return 1.0; }, one)
                  .empty());
}

// As many rows as values: nothing is left to tell an error from.
TEST(LeastSquares, of_as_many_rows_as_values_go_through_all) {
  const auto fitted = least_squares(
      2, 2, [](std::size_t row, std::size_t c) { return row == c ? 2.0 : 1.0; },
      [](std::size_t row) { return row == 0 ? 5.0 : 4.0; });
  ASSERT_EQ(fitted.size(), 2u);
  EXPECT_NEAR(fitted[0].value, 2, 1e-12);
  EXPECT_NEAR(fitted[1].value, 1, 1e-12);
  EXPECT_EQ(fitted[0].deviation, 0);
}

} // namespace
} // namespace perfmodel::test
