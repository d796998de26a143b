#include "models/simulate/access_pieces.hpp"

#include <gtest/gtest.h>

#include <map>

// Lines that L1 looks up, by the banks of an H200.
namespace perfmodel::access_pieces_test {

const std::vector<std::uint64_t> banks{28015285, 31380954};

// Sectors of 32 lines, so many lines apart.
std::size_t turns(std::uint64_t step, const std::vector<std::uint64_t>& bits, std::uint64_t lines = 32) {
  std::vector<std::uint64_t> sectors;
  for (std::uint64_t n = 0; n < lines; ++n) sectors.push_back(4 * n * step);
  return line_turns(sectors, bits);
}

// Cycles of an SM that a load of 32 lines took, an H200 of 29 November 2026 (probe l1-line-banks).
TEST(LineTurns, are_those_that_loads_of_lines_in_steps_took) {
  const std::map<std::uint64_t, std::size_t> measured{{1, 8},  {2, 8},   {3, 11}, {7, 14},  {9, 14},
                                                      {13, 9}, {31, 16}, {32, 8}, {33, 16}, {48, 14},
                                                      {55, 9}, {58, 14}, {62, 8}, {64, 8}};
  for (const auto& [step, cycles] : measured) EXPECT_EQ(turns(step, banks), cycles) << step;
}

TEST(LineTurns, are_of_four_lines_where_no_banks_are_known) {
  EXPECT_EQ(turns(31, {}), 8u);
  EXPECT_EQ(turns(31, {}, 5), 2u);
  EXPECT_EQ(turns(31, {}, 1), 1u);
}

TEST(LineTurns, of_no_more_lines_than_are_looked_up_at_once_are_one) {
  for (std::uint64_t step = 1; step < 100; ++step) EXPECT_EQ(turns(step, banks, 4), 1u);
}

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

} // namespace perfmodel::access_pieces_test
