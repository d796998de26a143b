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

// 1 and 3 us of 1 and 2 kB have an alpha below zero. Without one, the slope with the least squares of
// n g / t - 1 is (1 / 1 + 2 / 3) / (1 + 4 / 9) us/kB.
TEST(Fit, of_times_that_rise_faster_than_the_bytes_is_the_best_bandwidth_alone) {
  const Hockney h = hockney_fit(
      {{.bytes = Bytes(1e3), .time = Seconds(1e-6)}, {.bytes = Bytes(2e3), .time = Seconds(3e-6)}}, 1);
  EXPECT_NEAR(1 / h.beta.value, (1 + 2. / 3) / (1 + 4. / 9) * 1e-9, 1e-14);
  EXPECT_LT(h.alpha.value, 1e-11);
}

// The last level of cache ends between 4 and 32 MiB, for messages and, elsewhere, for sums.
TEST(CostsBySize, follows_times_that_rise_faster_than_the_bytes_where_a_cache_ends) {
  const std::vector<std::pair<double, double>> ms{{1, 0.23},  {2, 0.45}, {4, 1.2}, {8, 3.6},
                                                  {16, 10.6}, {32, 17},  {64, 44}};
  std::vector<Timed> messages, sums;
  for (const auto& [mib, time] : ms)
    messages.push_back({.bytes = Bytes(mib * 1048576), .time = Seconds(time / 1e3)});
  for (const auto& [mib, time] : std::vector<std::pair<double, double>>{
           {1, 0.05}, {2, 0.1}, {4, 0.27}, {8, 0.85}, {16, 1.84}, {32, 8.2}, {64, 19}})
    sums.push_back({.bytes = Bytes(mib * 1048576), .time = Seconds(time / 1e3)});
  const CostsBySize costs = CostsBySize::from_text(costs_by_size(messages, sums, {}).text());
  for (std::size_t i = 0; i < ms.size(); ++i) {
    const Bytes n = messages[i].bytes;
    EXPECT_NEAR(costs.of(n).sent(n) / messages[i].time, 1, 0.101) << ms[i].first;
    EXPECT_NEAR(costs.of(n).added(n) / sums[i].time, 1, 0.101) << ms[i].first;
  }
}

// 0.2 us and 10 GB/s up to 4 MiB, which four digits do not hold, then 2 us and 4 GB/s; adding at 20 GB/s and
// 10 GB/s.
TEST(CostsBySize, finds_both_lines_and_where_one_ends_without_being_told) {
  std::vector<Timed> messages, sums;
  for (double n = 8; n < 1e8; n *= 2) {
    const bool is_short = n <= 4194304;
    messages.push_back({.bytes = Bytes(n), .time = Seconds(is_short ? 0.2e-6 + n / 10e9 : 2e-6 + n / 4e9)});
    sums.push_back({.bytes = Bytes(n), .time = Seconds(n / (is_short ? 20e9 : 10e9))});
  }
  for (const std::vector<Bytes>& ends : {std::vector<Bytes>{}, std::vector<Bytes>{Bytes(4194304)}}) {
    const CostsBySize found = costs_by_size(messages, sums, ends);
    ASSERT_EQ(found.pieces.size(), 2U);
    // What the text says is the same, for the last size of a range, too.
    for (const CostsBySize& costs : {found, CostsBySize::from_text(found.text())})
      for (std::size_t i = 0; i < messages.size(); ++i) {
        const Bytes n = messages[i].bytes;
        EXPECT_NEAR(costs.of(n).sent(n) / messages[i].time, 1, 1e-3) << n.value;
        EXPECT_NEAR(costs.of(n).added(n) / sums[i].time, 1, 1e-3) << n.value;
      }
  }
}

TEST(CostsBySize, a_range_with_too_few_messages_goes_with_the_next) {
  std::vector<Timed> messages;
  for (double n = 8; n <= 64; n *= 2) messages.push_back({.bytes = Bytes(n), .time = Seconds(1e-6)});
  EXPECT_EQ(costs_by_size(messages, {}, {Bytes(16), Bytes(32)}).pieces.size(), 1U);
}

// A long vector lies in memory: its short parts are sent as short messages are, at the rate of memory.
TEST(CostsBySize, parts_of_a_vector_come_from_where_the_whole_of_it_lies) {
  const CostsBySize costs =
      CostsBySize::from_text("1KiB:1us:4GB/s:8GB/s,1MiB:2us:9GB/s:20GB/s,rest:3us:2GB/s:5GB/s");
  const MessageCost cached = costs.of_parts(Bytes(4096), Bytes(1 << 20)),
                    far = costs.of_parts(Bytes(4096), Bytes(1 << 30)),
                    small = costs.of_parts(Bytes(512), Bytes(1 << 20));
  EXPECT_EQ(cached.beta.value, 9e9);
  EXPECT_EQ(far.alpha.value, 2e-6);
  EXPECT_EQ(far.beta.value, 2e9);
  EXPECT_EQ(far.adding->value, 5e9);
  EXPECT_EQ(small.beta.value, 4e9) << "never faster than as a message of its own";
}

} // namespace perfmodel::hockney_fit_test
