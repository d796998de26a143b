#include "kernels/core/straggler.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace perfmodel::kernels::straggler_test {

using P = Progress;

TEST(Straggler, the_sentence_names_who_has_not_come) {
  EXPECT_EQ(straggler_sentence("all-reduce", 30, {P::waiting, P::missing, P::waiting}),
            "all-reduce has not ended within 30 s: rank 1 is missing");
  EXPECT_EQ(straggler_sentence("all-reduce", 30, {P::missing, P::waiting, P::missing}),
            "all-reduce has not ended within 30 s: rank 0, rank 2 are missing");
}

TEST(Straggler, where_all_have_come_those_that_are_still_in_it_are_named) {
  EXPECT_EQ(straggler_sentence("s", 1, {P::done, P::waiting}),
            "s has not ended within 1 s: rank 1 still in it");
  EXPECT_EQ(straggler_sentence("s", 1, {P::waiting, P::waiting}),
            "s has not ended within 1 s: all ranks have come, and wait");
  EXPECT_EQ(straggler_sentence("s", 1, {P::missing, P::missing}),
            "s has not ended within 1 s: no rank has come to it");
}

TEST(StragglerDeathTest, a_step_that_does_not_end_ends_the_program_with_code_3) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        StragglerWatch watch(1);
        watch.step("a sum", 2);
        watch.is(0, P::waiting);
        std::this_thread::sleep_for(std::chrono::seconds(20));
      },
      ::testing::ExitedWithCode(3), "perfmodel: a sum has not ended within 1 s: rank 1 is missing");
}

TEST(StragglerDeathTest, steps_that_end_in_time_go_on_however_many_there_are) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        StragglerWatch watch(1);
        for (int i = 0; i < 4; ++i) {
          watch.step("a sum", 2);
          std::this_thread::sleep_for(std::chrono::milliseconds(500));
        }
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(Straggler, a_watch_that_nobody_needs_any_more_ends_at_once) {
  const auto begin = std::chrono::steady_clock::now();
  { const StragglerWatch watch(30); }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

} // namespace perfmodel::kernels::straggler_test
