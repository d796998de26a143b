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

// By hand: accesses of 10, 10 and 4 cycles of one scheduler, one of 2 of another: of the 8 before the last 4
// of the first it waits for half an access of 4; without those for half of 10.
TEST(Turns, an_access_waits_for_as_many_of_another_scheduler_less_half_of_one) {
  Turns unit(2);
  EXPECT_DOUBLE_EQ(unit.serve(0, 0, 10), 10);
  EXPECT_DOUBLE_EQ(unit.serve(0, 0, 10), 20);
  EXPECT_DOUBLE_EQ(unit.serve(1, 0, 2), 2 + 0.5 * 10);
  EXPECT_DOUBLE_EQ(unit.serve(1, 0, 2), 4 + 1.5 * 10);
  EXPECT_DOUBLE_EQ(unit.serve(1, 0, 2), 6 + 20) << "there are no more than 20";
}

// The H200's 8 loads of 70 cycles: the load beside them waits for 35.
TEST(Turns, waits_for_half_of_what_is_in_service) {
  Turns unit(4);
  for (int i = 0; i < 8; ++i) unit.serve(0, 0, 70);
  EXPECT_DOUBLE_EQ(unit.serve(1, 0, 1), 36);
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
  EXPECT_DOUBLE_EQ(unit.serve(1, 40, 1), 51.5) << "and for half of that";
}

} // namespace
} // namespace perfmodel
