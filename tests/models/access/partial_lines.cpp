#include "models/access/partial_lines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace perfmodel::partial_lines_test {

// By hand: of Poisson's distribution with mean 1 (2), 1 - e^-1 (1 + 1 + 1/2) and 1 - e^-2 (1 + 2 + 2).
TEST(PartialLines, a_line_leaves_when_as_many_others_come_to_its_set_as_it_has_ways) {
  EXPECT_NEAR(sent_early({10, 3}, 10), 0.08030, 1e-5);
  EXPECT_NEAR(sent_early({10, 3}, 20), 0.32332, 1e-5);
  EXPECT_NEAR(sent_early({10, 1}, 10), 1 - std::exp(-1.), 1e-12);
  EXPECT_EQ(sent_early({10, 3}, 0), 0);
}

TEST(PartialLines, more_lines_lose_more_and_more_ways_or_sets_less) {
  double before = 0;
  for (double others = 1; others < 1e4; others *= 1.7) {
    const double share = sent_early({100, 3}, others);
    EXPECT_GE(share, before);
    EXPECT_LE(share, 1);
    EXPECT_LE(sent_early({100, 4}, others), share);
    EXPECT_LE(sent_early({200, 3}, others), share);
    before = share;
  }
  EXPECT_NEAR(before, 1, 1e-6);
}

// The probe partial-lines on an H200, 2026-11-22 (hwdb/measured/h200/counters.json), which finds 22 013 sets
// of 2: one pair of numbers for any number of lines that are written at a time, seven of eight of them
// partly. Of more, fewer leave than it says.
TEST(PartialLines, one_pair_of_numbers_tells_the_shares_of_any_number_of_lines) {
  const auto predicted = [](double lines) { return sent_early({22013, 2}, lines * 7 / 8); };
  for (const auto& [lines, share] :
       {std::pair{4096, 0.0124}, std::pair{8192, 0.0435}, std::pair{12288, 0.0872}, std::pair{16384, 0.1381},
        std::pair{20480, 0.1952}})
    EXPECT_NEAR(predicted(lines), share, 0.045 * share) << lines;
  EXPECT_NEAR(predicted(24576) / 0.2417, 1.06, 0.01);
  EXPECT_NEAR(predicted(32768) / 0.3211, 1.165, 0.01);
}

} // namespace perfmodel::partial_lines_test
