#include "models/simulate/agenda.hpp"

#include <random>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace perfmodel::agenda_test {

TEST(Agenda, is_empty_until_a_warp_is_due_and_after_the_last_has_gone) {
  Agenda agenda(3);
  EXPECT_TRUE(agenda.empty());
  agenda.set(2, 7.5);
  EXPECT_FALSE(agenda.empty());
  EXPECT_EQ(agenda.next().warp, 2u);
  EXPECT_EQ(agenda.next().time, 7.5);
  agenda.clear(2);
  EXPECT_TRUE(agenda.empty());
}

TEST(Agenda, of_two_at_one_time_the_one_set_first_is_next) {
  Agenda agenda(3);
  agenda.set(1, 4);
  agenda.set(0, 4);
  agenda.set(2, 4.5);
  EXPECT_EQ(agenda.next().warp, 1u);
  agenda.set(1, 4); // again, and now behind the other
  EXPECT_EQ(agenda.next().warp, 0u);
}

// Against an ordered set of (time, when it was set, warp).
TEST(Agenda, says_what_a_sorted_list_says) {
  std::mt19937 random(1);
  for (const std::size_t warps : {1u, 4u, 5u, 16u, 17u, 64u, 300u}) {
    Agenda agenda(warps);
    std::set<std::tuple<double, int, std::size_t>> sorted;
    const auto forget = [&](std::size_t warp) {
      std::erase_if(sorted, [&](const auto& entry) { return std::get<2>(entry) == warp; });
    };
    for (int i = 0; i < 2000; ++i) {
      const std::size_t warp = random() % warps;
      forget(warp);
      if (random() % 4 == 0) {
        agenda.clear(warp);
      } else {
        const double time = static_cast<double>(i + random() % 40) / 4;
        agenda.set(warp, time);
        sorted.emplace(time, i, warp);
      }
      ASSERT_EQ(agenda.empty(), sorted.empty());
      if (sorted.empty()) continue;
      ASSERT_EQ(agenda.next().time, std::get<0>(*sorted.begin()));
      ASSERT_EQ(agenda.next().warp, std::get<2>(*sorted.begin()));
    }
  }
}

} // namespace perfmodel::agenda_test
