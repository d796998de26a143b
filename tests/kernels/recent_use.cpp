#include "kernels/capture/recent_use.hpp"

#include <gtest/gtest.h>

namespace perfmodel::recent_use_test {

using kernels::RecentUse;
using Since = std::vector<std::optional<std::uint64_t>>;

// Allocations of 1, 2, 4 and 8 bytes, so that each sum says which are in it.
constexpr std::uint64_t a = 0x1000, b = 0x2000, c = 0x3000, d = 0x4000;

Since use(RecentUse& recent, const std::vector<std::uint64_t>& addresses, std::uint32_t gpu = 0) {
  std::vector<std::uint64_t> bytes;
  for (const std::uint64_t address : addresses) bytes.push_back(std::uint64_t{1} << (address / 0x1000 - 1));
  return recent.use(gpu, addresses, bytes);
}

TEST(RecentUse, of_an_allocation_the_others_used_since_are_counted_once_and_none_of_the_launch) {
  RecentUse recent;
  EXPECT_EQ(use(recent, {a, b}), (Since{std::nullopt, std::nullopt}));
  EXPECT_EQ(use(recent, {a, b}), (Since{0, 0})) << "the same launch again";
  EXPECT_EQ(use(recent, {c}), (Since{std::nullopt}));
  EXPECT_EQ(use(recent, {d}), (Since{std::nullopt}));
  EXPECT_EQ(use(recent, {c}), (Since{8}));
  EXPECT_EQ(use(recent, {a, b}), (Since{12, 12})) << "c and d, c once";
  EXPECT_EQ(use(recent, {d, a}), (Since{6, 0})) << "d: c and b since, and a, which is the launch's own";
}

TEST(RecentUse, each_gpu_has_an_l2_of_its_own) {
  RecentUse recent;
  use(recent, {a}, 0);
  EXPECT_EQ(use(recent, {a}, 1), (Since{std::nullopt}));
  EXPECT_EQ(use(recent, {a}, 0), (Since{0}));
}

TEST(RecentUse, what_was_copied_from_the_host_is_not_in_l2_and_takes_up_its_room) {
  RecentUse recent;
  use(recent, {a, b});
  recent.copied_in(0, a, 64);
  recent.copied_in(0, a, 32); // the same place again
  EXPECT_EQ(use(recent, {a, b}), (Since{std::nullopt, 32}));
  EXPECT_EQ(use(recent, {a, b}), (Since{0, 0}));
}

TEST(RecentUse, what_was_used_before_many_others_is_forgotten) {
  RecentUse recent;
  const auto use_one = [&](std::uint64_t address) {
    return recent.use(0, std::vector<std::uint64_t>{address}, std::vector<std::uint64_t>{1}).front();
  };
  for (std::uint64_t i = 0; i <= RecentUse::most; ++i) use_one(i);
  EXPECT_EQ(use_one(1), std::optional<std::uint64_t>(RecentUse::most - 1));
  EXPECT_EQ(use_one(0), std::nullopt);
}

} // namespace perfmodel::recent_use_test
