#include "models/simulate/written_lines.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace perfmodel::written_lines_test {

// By hand: of 100 lines a tenth leaves in a tenth of the time that a line is kept, evenly.
TEST(WrittenLines, leave_evenly_some_time_later) {
  WrittenLines lines;
  for (int i = 0; i < 100; ++i) lines.add(2);
  std::vector<double> left;
  const auto note = [&](double time, double cycles) {
    left.push_back(time);
    EXPECT_EQ(cycles, 2);
  };
  lines.until(0.1 * WrittenLines::kept, note);
  ASSERT_EQ(left.size(), 10u);
  for (std::size_t i = 0; i < left.size(); ++i)
    EXPECT_NEAR(left[i], (static_cast<double>(i) + 0.5) * 0.01 * WrittenLines::kept, 1e-9);
  EXPECT_NEAR(lines.owed(), 180, 1e-9);
}

TEST(WrittenLines, all_leave_and_each_once) {
  WrittenLines lines;
  int left = 0;
  double last = 0;
  for (int trip = 1; trip <= 1000; ++trip) {
    lines.add(1);
    lines.until(37.0 * trip, [&](double time, double) {
      EXPECT_GE(time, last);
      EXPECT_LE(time, 37.0 * trip);
      last = time;
      ++left;
    });
  }
  EXPECT_NEAR(left + lines.owed(), 1000, 1e-9);
  EXPECT_GT(left, 800) << "those of the last 4000 cycles are kept";
  lines.until(1e6, [&](double, double) { ++left; });
  EXPECT_EQ(left, 1000);
}

} // namespace perfmodel::written_lines_test
