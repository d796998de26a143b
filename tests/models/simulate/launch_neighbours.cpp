#include "models/simulate/launch_neighbours.hpp"

#include <gtest/gtest.h>

#include <map>

// The transposed copy of PyTorch: out[i] = in[i % rows * columns + i / rows], each block a part of a column.
// 16 columns of four bytes lie in each 64 bytes that device memory delivers.
namespace perfmodel::launch_neighbours_test {

constexpr std::int64_t of_column = 32, columns = 256; // blocks in each; columns of the matrix
constexpr std::uint64_t atoms_of_row = columns * 4 / 64, rows_of_block = 8;
const Shape grid{of_column * columns, 1, 1};

struct Transposed {
  std::map<std::int64_t, BlockFootprint> made;
  const BlockFootprint& at(std::int64_t block) {
    const auto [found, is_new] = made.try_emplace(block, BlockFootprint(1));
    const auto column = static_cast<std::uint64_t>(block / of_column);
    for (std::uint64_t row = 0; is_new && row < rows_of_block; ++row) {
      const std::uint64_t of_matrix = static_cast<std::uint64_t>(block % of_column) * rows_of_block + row;
      found->second.loads[0][of_matrix * atoms_of_row + column / 16] = 0;
    }
    return found->second;
  }
};

TEST(LaunchNeighbours, blocks_come_back_to_lines_that_others_have_read_a_column_before) {
  Transposed blocks;
  const FootprintAt at = [&](std::int64_t x, std::int64_t, std::int64_t) -> const BlockFootprint& {
    return blocks.at(x);
  };
  const std::array<std::int64_t, 3> place{grid.x / 2 - of_column, 0, 0};
  const Neighbours near = neighbours_of(grid, place, 400, at);
  Growth growth = growth_of_loads(near, 0, 64, {}, 1e9);
  EXPECT_DOUBLE_EQ(growth.x, 1) << "the next blocks read other rows";
  const Recurrence found = recurrence_of(grid, place, 0, Touch::loads, 400, 1e9, at);
  EXPECT_EQ(found.period, of_column);
  set_recurrence_of_loads(growth, *near.block, 0, found);
  EXPECT_NEAR(growth.new_after_period, 1.0 / 16, 0.01);
  // Sixteen columns lie in the atoms of the first.
  EXPECT_NEAR(growth.of(16 * of_column, 1), of_column * growth.one * (1 + 15.0 / 16), 1);
}

// A transposed read of rows of 32 blocks: sixteen of them side by side read the same atoms.
TEST(LaunchNeighbours, where_the_next_blocks_read_the_same_those_further_on_are_asked) {
  const Shape rows{1024, 1, 1};
  std::map<std::int64_t, BlockFootprint> made;
  const FootprintAt at = [&](std::int64_t x, std::int64_t, std::int64_t) -> const BlockFootprint& {
    const auto [found, is_new] = made.try_emplace(x, BlockFootprint(1));
    for (std::uint64_t row = 0; is_new && row < 8; ++row)
      found->second.loads[0][row * 1000 + static_cast<std::uint64_t>(x / 16)] = 0;
    return found->second;
  };
  EXPECT_EQ(further_of(rows, {512, 0, 0}, 0, 400, at).distance, 16);
  EXPECT_EQ(further_of({10, 1, 1}, {0, 0, 0}, 0, 400, at).distance, 8) << "as far as there are any";
  EXPECT_EQ(further_of(rows, {512, 0, 0}, 0, 1'000'000, at).block, nullptr) << "too long to run";
}

// Three blocks of a row work: the last of them has one in front of it alone.
TEST(LaunchNeighbours, blocks_that_touch_nothing_are_none) {
  std::map<std::int64_t, BlockFootprint> made;
  const FootprintAt at = [&](std::int64_t x, std::int64_t y, std::int64_t) -> const BlockFootprint& {
    const auto [found, is_new] = made.try_emplace(x + 102 * y, BlockFootprint(1));
    if (is_new && x < 3) found->second.loads[0][static_cast<std::uint64_t>(x + 102 * y)] = 0;
    return found->second;
  };
  const Neighbours first = neighbours_of({102, 102, 1}, {0, 50, 0}, 400, at),
                   last = neighbours_of({102, 102, 1}, {2, 50, 0}, 400, at);
  EXPECT_EQ(first.right.size(), 2u);
  EXPECT_EQ(first.below.size(), 4u);
  EXPECT_EQ(last.right.size() + last.before.size(), 2u + 4u) << "in front of it in its row, and above it";
  EXPECT_EQ(last.next().front(), &at(1, 50, 0));
}

// A step of a sorting network: of blocks side by side 64 compare, and the next 64 have nothing to do. Of the
// last one that compares a row would be all but empty.
TEST(LaunchNeighbours, a_row_with_idle_blocks_says_nothing_of_the_others) {
  std::map<std::int64_t, BlockFootprint> made;
  const FootprintAt at = [&](std::int64_t x, std::int64_t, std::int64_t) -> const BlockFootprint& {
    const auto [found, is_new] = made.try_emplace(x, BlockFootprint(1));
    if (is_new && x / 64 % 2 == 0) found->second.loads[0][static_cast<std::uint64_t>(x)] = 0;
    return found->second;
  };
  const Neighbours inside = neighbours_of({1024, 1, 1}, {256, 0, 0}, 400, at),
                   last = neighbours_of({1024, 1, 1}, {256 + 63, 0, 0}, 400, at);
  EXPECT_EQ(inside.row.size(), 64u);
  EXPECT_TRUE(last.row.empty());
  EXPECT_DOUBLE_EQ(growth_of_loads(last, 0, 64, {}, 1e9).of(512, 1), 512 * 64);
}

// A grid that is a row and a column of blocks too large for its matrix, and one that is much too large.
TEST(LaunchNeighbours, corners_are_those_that_do_something) {
  BlockFootprint none(1), some(1);
  some.loads[0][7] = 0;
  const auto corners = [&](std::int64_t rows) {
    return corners_of(
        {10, 10, 1}, 400, [&](std::int64_t x, std::int64_t y, std::int64_t) -> const auto& {
          return x < 9 && y < rows ? some : none;
        });
  };
  ASSERT_EQ(corners(9).size(), 4);
  EXPECT_EQ(corners(9)[3], &some);
  EXPECT_TRUE(corners(5).empty());
  EXPECT_TRUE(corners_of(
                  {10, 10, 1}, 1'000'000, [&](auto, auto, auto) -> const auto& { return some; })
                  .empty());
}

// Of 100 atoms of 64 bytes between them, and a sixteenth more.
TEST(LaunchNeighbours, a_span_reaches_from_the_first_to_the_last) {
  BlockFootprint first(1), last(1);
  first.loads[0][1000] = 0;
  last.loads[0][1099] = 0;
  EXPECT_DOUBLE_EQ(span_of_loads({&first, &last}, 0, 64), 6400 * 17.0 / 16);
  EXPECT_GT(span_of_stores({&first, &last}, 0), 1e18) << "nothing is stored";
  const BlockFootprint elsewhere(1);
  EXPECT_GT(span_of_loads({&first, &elsewhere, &last}, 0, 64), 1e18) << "one touches other arrays";
}

TEST(LaunchNeighbours, long_blocks_are_not_run_to_find_that_out) {
  Transposed blocks;
  const FootprintAt at = [&](std::int64_t x, std::int64_t, std::int64_t) -> const BlockFootprint& {
    return blocks.at(x);
  };
  EXPECT_EQ(recurrence_of(grid, {100, 0, 0}, 0, Touch::loads, 1'000'000, 1e9, at).period, 0);
  EXPECT_EQ(recurrence_of(grid, {100, 0, 0}, 0, Touch::loads, 400, of_column - 1, at).period, 0)
      << "not so far away";
  EXPECT_EQ(neighbours_of(grid, {100, 0, 0}, 1'000'000, at).right.size(), 1u);
}

} // namespace perfmodel::launch_neighbours_test
