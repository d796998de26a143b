#include "models/simulate/warp_turns.hpp"

#include <gtest/gtest.h>

namespace perfmodel::warp_turns_test {

TEST(WarpTurns, a_scheduler_goes_on_with_the_warp_that_it_issued_last) {
  WarpTurns turns(1, 3);
  turns.set(0, 0, 0), turns.set(0, 1, 0);
  EXPECT_EQ(turns.next().warp, 0u) << "set first";
  turns.issue(0, 0, 1);
  turns.set(0, 0, 1); // as soon as the scheduler is free again
  EXPECT_EQ(turns.next().warp, 0u) << "though the other has been due for longer";
  EXPECT_EQ(turns.next().due, 1);
  turns.issue(0, 0, 2);
  turns.set(0, 0, 5);
  EXPECT_EQ(turns.next().warp, 1u) << "it waits now";
  EXPECT_EQ(turns.next().due, 0);
}

TEST(WarpTurns, of_others_the_youngest_that_is_due_is_next) {
  WarpTurns turns(1, 3);
  turns.set(0, 0, 2), turns.set(0, 1, 3), turns.set(0, 2, 20);
  turns.issue(0, 2, 10);
  turns.set(0, 2, 20);
  EXPECT_EQ(turns.next().warp, 1u) << "though another has been due for longer";
  EXPECT_EQ(turns.next().due, 3);
  turns.clear(0, 1);
  EXPECT_EQ(turns.next().warp, 0u);
  turns.set(0, 0, 30);
  EXPECT_EQ(turns.next().warp, 2u) << "no other is due before";
  turns.clear(0, 2), turns.clear(0, 0);
  EXPECT_TRUE(turns.empty());
}

TEST(WarpTurns, or_the_one_that_has_been_due_for_longest) {
  WarpTurns turns(1, 3, false);
  turns.issue(0, 2, 10);
  turns.set(0, 0, 3), turns.set(0, 1, 2), turns.set(0, 2, 20);
  EXPECT_EQ(turns.next().warp, 1u);
  turns.clear(0, 1);
  EXPECT_EQ(turns.next().warp, 0u);
}

// 130 warps: of more words of bits than one.
TEST(WarpTurns, many_warps_of_a_scheduler_take_their_turns) {
  WarpTurns turns(1, 130);
  for (std::size_t warp = 0; warp < 130; ++warp) turns.set(0, warp, 0);
  EXPECT_EQ(turns.next().warp, 0u) << "counts as the one that was issued last";
  turns.clear(0, 0);
  for (std::size_t warp = 129; warp > 0; --warp) {
    EXPECT_EQ(turns.next().warp, warp);
    turns.clear(0, warp);
  }
}

TEST(WarpTurns, held_warps_wait_for_the_gate_and_the_youngest_goes_first) {
  WarpTurns turns(1, 3);
  turns.issue(0, 2, 0);
  turns.set(0, 0, 1), turns.set(0, 1, 2), turns.set(0, 2, 5);
  turns.hold(0, turns.next().warp, 10); // the first, at 1
  EXPECT_EQ(turns.next().warp, 1u);
  turns.hold(0, 1, 10);
  EXPECT_EQ(turns.next().warp, 2u) << "which needs no gate";
  turns.clear(0, 2);
  EXPECT_EQ(turns.next().now, 10);
  EXPECT_EQ(turns.next().warp, 1u);
  EXPECT_EQ(turns.next().due, 2) << "since when it waits";
  turns.clear(0, 1);
  turns.move_gate(0, 20);
  EXPECT_EQ(turns.next().now, 20);
  EXPECT_EQ(turns.next().warp, 0u);
  turns.clear(0, 0);
  EXPECT_TRUE(turns.empty());
}

// It was to wake with the gate at 10, and finds that it waits for something else, which is there at 4.
TEST(WarpTurns, what_a_held_warp_waits_for_next_may_be_there_before_the_gate) {
  WarpTurns turns(1, 3);
  turns.set(0, 0, 1), turns.set(0, 1, 1);
  turns.hold(0, turns.next().warp, 10);
  turns.hold(0, turns.next().warp, 10);
  EXPECT_EQ(turns.next().now, 10);
  turns.set(0, 0, 4);
  EXPECT_EQ(turns.next().warp, 0u);
  EXPECT_EQ(turns.next().now, 4) << "and the other is still held";
  turns.clear(0, 0);
  EXPECT_EQ(turns.next().now, 10);
}

// The first is busy until 7, though its warp has been due since 1.
TEST(WarpTurns, the_scheduler_that_can_issue_first_is_next) {
  WarpTurns turns(2, 1);
  turns.issue(0, 0, 7);
  turns.set(0, 0, 1), turns.set(1, 0, 5);
  EXPECT_EQ(turns.next().scheduler, 1u);
  turns.set(1, 0, 8);
  EXPECT_EQ(turns.next().scheduler, 0u);
  EXPECT_EQ(turns.next().due, 1);
  EXPECT_EQ(turns.free(0), 7);
}

TEST(WarpTurns, a_warp_that_is_set_first_goes_before_those_of_its_time) {
  WarpTurns turns(1, 3);
  turns.issue(0, 2, 0);
  turns.set(0, 0, 4), turns.set_first(0, 1, 4);
  EXPECT_EQ(turns.next().warp, 1u);
}

} // namespace perfmodel::warp_turns_test
