#include "models/simulate/access_pieces.hpp"

#include <gtest/gtest.h>

namespace perfmodel::access_pieces_test {

TEST(LanesOfABank, are_counted_whether_they_meet_in_a_word_or_not) {
  MemoryAccess access;
  access.bytes = 4;
  access.mask = ~std::uint32_t{0};
  for (std::size_t lane = 0; lane < 32; ++lane)
    access.address[lane] = static_cast<std::int64_t>(lane % 8) * 128;
  EXPECT_EQ(lanes_of_a_bank(access, {}), 32);
  access.mask = 0xff;
  EXPECT_EQ(lanes_of_a_bank(access, {}), 8);
  for (std::size_t lane = 0; lane < 32; ++lane) access.address[lane] = static_cast<std::int64_t>(lane) * 4;
  EXPECT_EQ(lanes_of_a_bank(access, {}), 1);
}

TEST(SectorTurns, of_atomics_below_address_0_are_those_above_it) {
  MemoryAccess access;
  access.bytes = 4;
  access.mask = ~std::uint32_t{0};
  const auto turns = [&](std::int64_t from) {
    for (std::size_t lane = 0; lane < 32; ++lane)
      access.address[lane] =
          from + static_cast<std::int64_t>(lane / 2) * 4; // two in a word, eight words in a sector
    return sector_turns(access);
  };
  EXPECT_EQ(turns(1024), 4U);
  EXPECT_EQ(turns(-1024), 4U);
}

} // namespace perfmodel::access_pieces_test
