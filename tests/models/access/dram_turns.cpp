#include "models/access/dram_turns.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace perfmodel::dram_turns_test {

// By hand: 0.1 / 200 (250^2 + 150^2).
TEST(DramTurns, a_read_waits_for_the_write_it_meets_and_for_two_turns_or_one) {
  EXPECT_DOUBLE_EQ(wait_for_turns(50, 100, 0.1), 42.5);
  EXPECT_DOUBLE_EQ(wait_for_turns(50, 0, 0.1), 2.5); // as behind any other line: u s / 2
}

TEST(DramTurns, the_turn_is_the_one_for_which_reads_wait_so_long) {
  for (double turn = 1; turn < 1000; turn *= 1.9)
    for (const double share : {0.01, 0.2})
      EXPECT_NEAR(turn_of(52, wait_for_turns(52, turn, share), share), turn, 1e-9 * turn);
  EXPECT_EQ(turn_of(50, 2, 0.1), 0); // less than a line keeps them waiting
  EXPECT_EQ(turn_of(50, -3, 0.1), 0);
}

// A line takes 50 cycles among reads and 55 among copies: 5 of each are for the turns.
TEST(DramTurns, so_many_writes_share_a_pair_of_turns_that_copies_are_as_fast_as_they_are) {
  EXPECT_NEAR(writes_in_a_row(50, 100, 1.1, 1), 20, 1e-9);
  EXPECT_EQ(writes_in_a_row(50, 2, 1.1, 1), 1);
  EXPECT_EQ(writes_in_a_row(50, 100, 1, 1), 0);
  EXPECT_EQ(writes_in_a_row(50, 100, 1, 1.2), 0);
}

// An H200, 2026-11-22, 19:38 UTC (hwdb/measured/h200/run.json): how much longer loads take beside copies of
// so many TB/s, less what they wait for the copies' reads; and streams in TB/s. A triad reads two lines for
// each that it writes.
TEST(DramTurns, turns_found_from_waits_tell_the_triad) {
  constexpr double service = 63.3, turn = 171.6, read = 4.5998, copy = 4.2859, triad = 4.3851;
  for (const auto& [bandwidth, longer] :
       {std::pair{0.887, 75.0}, std::pair{1.483, 145.7}, std::pair{1.972, 209.4}}) {
    const double share = bandwidth / 2 / read, wait = longer - share * service / (2 * (1 - share));
    EXPECT_NEAR(turn_of(service, wait, share), turn, 17) << bandwidth;
  }
  const double writes = writes_in_a_row(service, turn, read, copy);
  EXPECT_NEAR(writes, 37, 0.1);
  EXPECT_NEAR(read * service / (service + 2.0 / 3 * turn / writes), triad, 0.001 * triad);
}

} // namespace perfmodel::dram_turns_test
