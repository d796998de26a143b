#include "models/simulate/touched_lines.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace perfmodel::touched_lines_test {

// Against a list of all accesses, of which the lines since each are counted anew.
TEST(TouchedLines, are_the_different_ones_since_any_access) {
  std::mt19937 random(7);
  TouchedLines lines;
  std::vector<std::set<std::uint64_t>> touched;
  for (std::size_t n = 0; n < 300; ++n) {
    std::set<std::uint64_t> sectors;
    for (std::size_t k = 0; k < 1 + n % 5; ++k) sectors.insert(random() % 200);
    EXPECT_EQ(lines.begin(), touched.size() + 1);
    lines.touch(sectors, 4);
    touched.emplace_back();
    for (const std::uint64_t sector : sectors) touched.back().insert(sector / 4);
    std::set<std::uint64_t> since;
    for (std::size_t access = touched.size(); access > 0; --access) {
      since.insert(touched[access - 1].begin(), touched[access - 1].end());
      ASSERT_EQ(lines.since(static_cast<TouchedLines::Access>(access)),
                128.0 * static_cast<double>(since.size()));
    }
    EXPECT_EQ(lines.bytes(), 128.0 * static_cast<double>(since.size()));
  }
}

} // namespace perfmodel::touched_lines_test
