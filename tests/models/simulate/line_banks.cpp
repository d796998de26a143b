#include "models/simulate/line_banks.hpp"

#include <gtest/gtest.h>

#include <map>

// Lines that L1 looks up, by the banks of an H200.
namespace perfmodel::line_banks_test {

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

// Beyond `turns`, of lines at these numbers.
int beyond(std::size_t turns, const std::vector<std::uint64_t>& lines) {
  std::vector<std::uint64_t> sectors;
  for (const std::uint64_t line : lines) sectors.push_back(4 * line + 1);
  return MeetingLines(banks).beyond(turns, sectors);
}

// A load of 32 words that begin anywhere lies in two lines side by side, of which one pair in fourteen meets:
// counters saw 1.07 wavefronts a load in convolutions (an H200, 29 November 2026).
TEST(MeetingLines, side_by_side_take_a_fourteenth_of_a_turn) {
  EXPECT_NEAR(beyond(1, {1000, 1001}), 64 / 14.0, 1); // in 64ths
  EXPECT_EQ(beyond(1, {77, 78}), beyond(1, {1000, 1001})) << "wherever they are";
  EXPECT_EQ(beyond(2, {77, 78}), 0) << "their words take two in any case";
}

// Rows of 4096 words, two of them: the lower bits of their numbers are the same, and one bit is not, unless
// the first is an odd one.
TEST(MeetingLines, of_two_rows_meet_only_where_a_bit_is_carried) {
  EXPECT_EQ(beyond(1, {6 * 128, 7 * 128}), 0);
  EXPECT_GT(beyond(1, {7 * 128, 8 * 128}), 5);
}

// A row and two lines side by side of the next: whichever place is asked about first stands for all.
TEST(MeetingLines, are_the_mean_over_places_whichever_is_asked_about_first) {
  const auto lines = [](std::uint64_t first) {
    return std::vector<std::uint64_t>{4 * first, 4 * (first + 128), 4 * (first + 129)};
  };
  MeetingLines one(banks), other(banks);
  const int early = one.beyond(1, lines(63));
  EXPECT_EQ(early, one.beyond(1, lines(0)));
  EXPECT_EQ(early, other.beyond(1, lines(0)));
  EXPECT_EQ(early, other.beyond(1, lines(63)));
  EXPECT_GT(early, 0);
  EXPECT_LT(early, 64);
}

TEST(MeetingLines, are_two_to_four_and_of_known_banks) {
  EXPECT_EQ(beyond(1, {5}), 0);
  EXPECT_EQ(beyond(2, {0, 1, 2, 3, 4}), 0) << "those are counted one by one";
  EXPECT_EQ(MeetingLines({}).beyond(1, {0, 4, 8}), 0);
}

} // namespace perfmodel::line_banks_test
