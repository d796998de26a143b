// The order in which probes visit DRAM: no GPU needed.
#include "kernels/probes/access/shuffled.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace perfmodel::kernels::shuffled_test {

TEST(Shuffled, every_number_comes_once) {
  for (unsigned bits = 2; bits <= 16; ++bits) {
    const Shuffled shuffled{bits};
    std::vector<bool> seen(std::size_t{1} << bits);
    for (std::uint32_t i = 0; i < seen.size(); ++i) {
      const std::uint32_t place = shuffled(i);
      ASSERT_LT(place, seen.size()) << bits;
      ASSERT_FALSE(seen[place]) << bits << " bits, " << i;
      seen[place] = true;
    }
  }
}

// A sector may fall beside one that is asked for at the same time: as often as by chance, 2 in 2^bits.
TEST(Shuffled, what_is_asked_for_together_lies_apart) {
  const Shuffled shuffled{20};
  int beside = 0;
  for (std::uint32_t i = 0; i + 1 < 1u << 20; ++i) {
    const std::uint32_t a = shuffled(i), b = shuffled(i + 1);
    beside += a + 1 == b || b + 1 == a;
  }
  EXPECT_LE(beside, 20);
}

} // namespace perfmodel::kernels::shuffled_test
