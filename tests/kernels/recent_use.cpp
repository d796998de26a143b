#include "kernels/capture/recent_use.hpp"

#include <gtest/gtest.h>

namespace perfmodel::recent_use_test {

using kernels::RecentUse;
using kernels::UsedMemory;
using Since = RecentUse::Since;

// Allocations of 1024, 2048, 4096 and 8192 bytes, so that each sum says which are in it.
constexpr UsedMemory a{0x1000, 1024}, b{0x2000, 2048}, c{0x3000, 4096}, d{0x4000, 8192};

Since use(RecentUse& recent, const std::vector<UsedMemory>& memory, std::uint32_t gpu = 0) {
  return recent.use(gpu, memory);
}

TEST(RecentUse, of_an_allocation_the_others_used_since_are_counted_once_and_none_of_the_launch) {
  RecentUse recent;
  EXPECT_EQ(use(recent, {a, b}), (Since{std::nullopt, std::nullopt}));
  EXPECT_EQ(use(recent, {a, b}), (Since{0, 0})) << "the same launch again";
  EXPECT_EQ(use(recent, {c}), (Since{std::nullopt}));
  EXPECT_EQ(use(recent, {d}), (Since{std::nullopt}));
  EXPECT_EQ(use(recent, {c}), (Since{8192}));
  EXPECT_EQ(use(recent, {a, b}), (Since{12288, 12288})) << "c and d, c once";
  EXPECT_EQ(use(recent, {d, a}), (Since{4096 + 2048, 2048})) << "each without the other";
  EXPECT_EQ(use(recent, {a, a, b}).back(), std::optional<std::uint64_t>(8192)) << "twice in one launch";
  EXPECT_EQ(use(recent, {d}), (Since{1024 + 2048}));
}

TEST(RecentUse, each_gpu_has_an_l2_of_its_own) {
  RecentUse recent;
  use(recent, {a}, 0);
  EXPECT_EQ(use(recent, {a}, 1), (Since{std::nullopt}));
  EXPECT_EQ(use(recent, {a}, 0), (Since{0}));
}

TEST(RecentUse, what_is_filled_or_copied_on_the_gpu_is_used_where_that_is_most_of_it) {
  RecentUse recent;
  recent.write(0, a, 1024);
  recent.write(0, b, 1023);
  EXPECT_EQ(use(recent, {a, b}), (Since{0, std::nullopt}));
}

constexpr std::uint64_t large = 3 << 20; // bytes

TEST(RecentUse, much_that_was_copied_from_the_host_is_not_in_l2_and_takes_up_its_room) {
  constexpr UsedMemory e{0x5000, 2 * large};
  RecentUse recent;
  use(recent, {a});
  recent.copy_in(0, e, 2 * large);
  recent.copy_in(0, e, large); // the same place again
  EXPECT_EQ(use(recent, {a, e}), (Since{large, std::nullopt}));
  recent.copy_in(0, b, 4); // a flag
  EXPECT_EQ(use(recent, {a, e}), (Since{0, 0}));
}

TEST(RecentUse, what_is_copied_from_the_host_is_in_l2_where_it_is_little_or_was_there) {
  constexpr UsedMemory e{0x5000, large};
  RecentUse recent;
  use(recent, {a});
  recent.copy_in(0, b, 2048);
  EXPECT_EQ(use(recent, {b}), (Since{0})) << "little";
  EXPECT_EQ(use(recent, {a}), (Since{2048}));
  use(recent, {e});
  recent.copy_in(0, e, large);
  EXPECT_EQ(use(recent, {e}), (Since{0})) << "written in its place";
  recent.copy_in(0, d, 1024);
  EXPECT_EQ(use(recent, {d}), (Since{std::nullopt})) << "an eighth of it";
}

TEST(RecentUse, after_what_nobody_can_count_nothing_is_known) {
  RecentUse recent;
  use(recent, {a});
  recent.forget_all();
  EXPECT_EQ(use(recent, {a}), (Since{std::nullopt}));
}

TEST(RecentUse, what_was_used_before_many_others_is_forgotten) {
  RecentUse recent;
  const auto use_one = [&](std::uint64_t address) { return use(recent, {{2 * address, 1}}).front(); };
  for (std::uint64_t i = 0; i <= RecentUse::most; ++i) use_one(i);
  EXPECT_EQ(use_one(1), std::optional<std::uint64_t>(RecentUse::most - 1));
  EXPECT_EQ(use_one(0), std::nullopt);
}

} // namespace perfmodel::recent_use_test
