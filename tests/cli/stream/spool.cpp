// Where the rows of a long sweep lie until they are written.
#include "cli/stream/cells.hpp"
#include "cli/stream/spill.hpp"

#include "models/core/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace perfmodel::cli::spool_test {

template <class T> void expect_reads_back(const std::vector<T>& cells) {
  const Column column{.name = "c", .unit = {"B", {}}, .role = Role::key, .cells = cells};
  const auto [back, rows] = unpacked(packed(column), {.name = "c", .unit = {"B", {}}, .role = Role::key});
  EXPECT_EQ(back.name, "c");
  EXPECT_EQ(back.unit.symbol, "B");
  EXPECT_EQ(back.role, Role::key);
  ASSERT_EQ(back.cells.index(), column.cells.index());
  ASSERT_EQ(rows, cells.size());
  const bool still = back.size() == 1; // for all rows
  ASSERT_TRUE(still || back.size() == cells.size());
  for (std::size_t row = 0; row < cells.size(); ++row)
    EXPECT_EQ(back.text(still ? 0 : row), column.text(row));
}

TEST(Cells, read_back_as_they_were) {
  expect_reads_back<double>({1, 2.5, absent, -0., 0., 1e308});
  expect_reads_back<double>({absent, absent});
  expect_reads_back<double>({0., -0.});
  expect_reads_back<double>({});
  expect_reads_back<std::int64_t>({1, -1, std::numeric_limits<std::int64_t>::min()});
  expect_reads_back<std::int64_t>({7, 7, 7});
  expect_reads_back<std::string>({"", "a", std::string(300, 'x'), std::string("\0,\n", 3)});
  expect_reads_back<std::string>({"", ""});
}

TEST(Cells, one_value_for_all_rows_takes_the_room_of_one) {
  const Column level{.cells = std::vector<double>(4096, 2.5)};
  const Column name{.cells = std::vector<std::string>(4096, "m2090")};
  EXPECT_LT(packed(level).size(), 32u);
  EXPECT_LT(packed(name).size(), 32u);
  EXPECT_EQ(unpacked(packed(level), level).column.size(), 1u);
  EXPECT_EQ(unpacked(packed(name), name).column.size(), 1u);
}

// Pieces of 1 to 200 bytes, of which a tenth stays in memory.
void expect_spills(std::size_t most, bool in_a_file) {
  Spill spill(most);
  std::vector<std::pair<std::uint64_t, std::string>> pieces;
  std::size_t all = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    pieces.emplace_back(0, std::string(1 + i % 200, static_cast<char>('a' + i % 26)));
    pieces.back().first = spill.add(pieces.back().second);
    all += pieces.back().second.size();
    if (in_a_file) {
      EXPECT_LE(spill.in_memory(), most);
    }
  }
  EXPECT_EQ(spill.in_memory() == all, !in_a_file);
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece)
    EXPECT_EQ(spill.read(piece->first, piece->second.size()), piece->second);
}

TEST(Spill, keeps_some_bytes_in_memory_and_the_others_in_a_file_without_a_name) {
  expect_spills(1000, true);
  expect_spills(1 << 20, false);
}

TEST(Spill, a_piece_larger_than_the_memory_for_it_is_kept_as_well) {
  Spill spill(10);
  const std::uint64_t one = spill.add(std::string(100, 'a')), other = spill.add(std::string(50, 'b'));
  EXPECT_EQ(spill.read(one, 100), std::string(100, 'a'));
  EXPECT_EQ(spill.read(other, 50), std::string(50, 'b'));
}

TEST(Spill, without_a_folder_for_the_file_all_stays_in_memory) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  expect_spills(1000, false);
  ::setenv("TMPDIR", "/proc", 1); // there, but nothing can be made in it
  expect_spills(1000, false);
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
}

} // namespace perfmodel::cli::spool_test
