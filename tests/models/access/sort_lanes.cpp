#include "models/access/sort_lanes.hpp"

#include "models/access/bit_count.hpp"

#include <algorithm>
#include <bit>
#include <random>

#include <gtest/gtest.h>

namespace perfmodel::sort_lanes_test {

using Numbers = std::array<std::int64_t, warp_lanes>;

TEST(SortLanes, sorts_any_count_of_any_numbers) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t count = 1 + random() % warp_lanes;
    const auto kept = random() % 64; // many equal numbers, and few
    Numbers numbers;
    for (std::int64_t& n : numbers) n = static_cast<std::int64_t>(random()) >> kept;
    Numbers expected = numbers;
    const auto end = static_cast<std::ptrdiff_t>(count);
    std::sort(expected.begin(), expected.begin() + end);
    sort_lanes(numbers, count);
    ASSERT_TRUE(std::equal(expected.begin(), expected.begin() + end, numbers.begin())) << "count " << count;
  }
}

TEST(SortLanes, sorts_zeros_and_ones_wherever_they_meet) {
  for (std::size_t ones = 0; ones <= warp_lanes; ++ones)
    for (std::size_t first = 0; first < warp_lanes; ++first) {
      Numbers numbers{};
      for (std::size_t n = 0; n < ones; ++n) numbers[(first + n) % warp_lanes] = 1;
      sort_lanes(numbers, warp_lanes);
      ASSERT_TRUE(std::is_sorted(numbers.begin(), numbers.end())) << ones << " from " << first;
    }
}

TEST(BitCount, is_the_one_of_the_standard_library) {
  std::mt19937_64 random(2);
  for (const std::uint64_t bits : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}})
    EXPECT_EQ(bit_count(bits), std::popcount(bits));
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t bits = random() & random();
    ASSERT_EQ(bit_count(bits), std::popcount(bits));
  }
}

} // namespace perfmodel::sort_lanes_test
