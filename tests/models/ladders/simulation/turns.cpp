#include "models/ladders/simulation/turns.hpp"

#include <gtest/gtest.h>

namespace perfmodel {
namespace {

TEST(Turns, one_scheduler_alone_is_served_in_its_order) {
  Turns unit(4);
  EXPECT_DOUBLE_EQ(unit.serve(0, 0, 10), 10);
  EXPECT_DOUBLE_EQ(unit.serve(0, 4, 5), 15);
  EXPECT_DOUBLE_EQ(unit.serve(0, 100, 5), 105);
}

// By hand: 10 cycles of one scheduler, then 2 of another at the same time: these take turns with 2 of the
// first. At 4 the first has 8 left, the second nothing; its next 3 are done when 3 of the 8 are.
TEST(Turns, a_scheduler_waits_for_no_more_work_of_another_than_it_has_itself) {
  Turns unit(2);
  EXPECT_DOUBLE_EQ(unit.serve(0, 0, 10), 10);
  EXPECT_DOUBLE_EQ(unit.serve(1, 0, 2), 4);
  EXPECT_DOUBLE_EQ(unit.serve(1, 4, 3), 10);
  EXPECT_DOUBLE_EQ(unit.serve(0, 4, 1), 16) << "all that was asked for: 10 + 2 + 3 + 1";
}

// What four schedulers ask for at all times is served one cycle after the other.
TEST(Turns, no_work_is_done_twice_or_lost) {
  Turns unit(4);
  double asked = 0, last = 0;
  for (int i = 0; i < 1000; ++i) {
    const double cycles = 1 + i * 7 % 5;
    asked += cycles;
    last = std::max(last, unit.serve(static_cast<std::size_t>(i) % 4, 0.5 * i, cycles));
  }
  EXPECT_LE(last, asked + 1e-9);
  EXPECT_NEAR(unit.serve(0, last + asked, 1), last + asked + 1, 1e-9) << "idle again";
  EXPECT_GT(last, 0.99 * asked);
}

TEST(Turns, what_comes_earlier_than_the_last_call_waits_for_it) {
  Turns unit(2);
  unit.serve(0, 50, 1);
  EXPECT_DOUBLE_EQ(unit.serve(1, 40, 1), 52);
}

} // namespace
} // namespace perfmodel
