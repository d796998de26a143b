#include "models/kernel/stand_in.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perfmodel::stand_in_test {

TEST(StandIn, equal_addresses_hold_equal_numbers_and_others_others) {
  std::set<std::uint32_t> seen;
  for (std::uint64_t address = 0; address < 4000; address += 4) {
    const std::uint32_t number = stand_in(LoadedIndex::spread, address, 4, 0);
    EXPECT_EQ(number, stand_in(LoadedIndex::spread, address, 4, 0));
    seen.insert(number);
  }
  EXPECT_GT(seen.size(), 990u); // of 1000
}

TEST(StandIn, narrow_data_are_narrow_and_so_is_the_upper_half_of_a_wide_index) {
  for (std::uint64_t address = 0; address < 400; ++address) {
    EXPECT_LT(stand_in(LoadedIndex::spread, address, 1, 0), 256u);
    EXPECT_LT(stand_in(LoadedIndex::spread, address, 2, 0), 65536u);
    EXPECT_LT(stand_in(LoadedIndex::spread, address, 8, 1), 256u);
  }
}

TEST(StandIn, near_neighbours_lead_to_neighbours) {
  EXPECT_EQ(stand_in(LoadedIndex::near, 400, 4, 0) + 1, stand_in(LoadedIndex::near, 404, 4, 0));
  EXPECT_EQ(stand_in(LoadedIndex::near, 800, 8, 0) + 1, stand_in(LoadedIndex::near, 808, 8, 0));
  EXPECT_EQ(stand_in(LoadedIndex::near, 800, 8, 1), 0u);
}

} // namespace perfmodel::stand_in_test
