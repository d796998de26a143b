#include "models/parallel/hockney_fit.hpp"

#include <gtest/gtest.h>

namespace perfmodel::hockney_fit_test {

std::vector<Timed> times(double alpha, double beta) {
  std::vector<Timed> points;
  for (double n = 8; n < 1e7; n *= 4)
    points.push_back({.bytes = Bytes(n), .time = Seconds(alpha + n / beta)});
  return points;
}

TEST(Fit, finds_the_alpha_and_beta_that_times_were_made_of) {
  const Hockney h = hockney_fit(times(3e-6, 7e9));
  EXPECT_NEAR(h.alpha.value, 3e-6, 1e-15);
  EXPECT_NEAR(h.beta.value / 7e9, 1, 1e-9);
  EXPECT_NEAR(error_of_others(h, times(3e-6, 7e9)), 0, 1e-9);
}

TEST(Fit, is_judged_by_the_points_that_it_was_not_made_of) {
  std::vector<Timed> points = times(3e-6, 7e9);
  for (std::size_t i = 1; i < points.size(); i += 2) points[i].time = 2 * points[i].time;
  const Hockney h = hockney_fit(points);
  EXPECT_NEAR(h.alpha.value, 3e-6, 1e-15);
  EXPECT_NEAR(error_of_others(h, points), 0.5, 1e-9);
}

TEST(Fit, of_times_that_fall_with_the_bytes_has_no_bandwidth_below_zero) {
  std::vector<Timed> points = times(3e-6, 7e9);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].time = Seconds(1e-6 / static_cast<double>(i + 1));
  EXPECT_GT(hockney_fit(points).beta.value, 0);
  EXPECT_GT(hockney_fit(points).alpha.value, 0);
}

} // namespace perfmodel::hockney_fit_test
