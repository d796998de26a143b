#include "models/access/recent_writes.hpp"

#include "tests/models/access/recent_atoms.hpp"
#include "tests/models/access/streams.hpp"

#include <bit>

#include <gtest/gtest.h>

namespace perfmodel {
namespace {

constexpr std::int64_t mib = 1 << 20;

void write(RecentWrites& writes, std::int64_t address) {
  const std::array<std::int64_t, warp_lanes> lane_0{address};
  writes.write(lane_0, 1);
}

TEST(RecentWrites, written_whole_need_no_fill_and_written_in_part_one_each) {
  RecentWrites whole(4, 32, mib), half(4, 32, mib);
  for (std::int64_t a = 0; a < 4096; a += 4) write(whole, a);
  for (std::int64_t a = 0; a < 4096; a += 8) write(half, a);
  whole.forget_all();
  half.forget_all();
  EXPECT_EQ(whole.bytes_filled(), 0);
  EXPECT_EQ(whole.bytes_written(), 4096);
  EXPECT_EQ(half.bytes_filled(), 4096);
  EXPECT_EQ(half.bytes_written(), 4096);
}

TEST(RecentWrites, written_in_two_parts_need_no_fill_if_the_second_comes_in_time) {
  RecentWrites soon(4, 32, mib), late(4, 32, mib);
  for (const std::int64_t first : {0, 4}) // even words, then odd ones
    for (std::int64_t a = first; a < mib / 4; a += 8) write(soon, a);
  for (const std::int64_t first : {0, 4})
    for (std::int64_t a = first; a < 4 * mib; a += 8) write(late, a);
  soon.forget_all();
  late.forget_all();
  EXPECT_EQ(soon.bytes_filled(), 0);
  EXPECT_EQ(late.bytes_filled(), 2 * 4 * mib);
}

TEST(RecentWrites, counts_what_a_map_counts_where_the_cache_holds_all) {
  std::mt19937 random(3);
  RecentWrites writes(4, 32, 64 * mib);
  std::map<std::int64_t, std::uint32_t> written; // of each sector
  for (int i = 0; i < 60'000; ++i) {
    const std::int64_t a = static_cast<std::int64_t>(random() % 400'000) * 4 - 800'000;
    write(writes, a);
    written[a >> 5] |= 0xFu << (a & 31);
  }
  writes.forget_all();
  const auto in_part = [](const auto& sector) { return sector.second != ~std::uint32_t{0}; };
  EXPECT_EQ(writes.bytes_written(), 32 * static_cast<std::int64_t>(written.size()));
  EXPECT_EQ(writes.bytes_filled(), 32 * std::count_if(written.begin(), written.end(), in_part));
}

// Caches from a few sectors on, so that generations end within a request; every word and sector; rows within
// a page and beyond it.
TEST(RecentWrites, counts_what_a_map_of_lines_counts) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    std::mt19937_64 random(seed);
    const auto power = [&](int first, unsigned more) {
      return std::int64_t{1} << (static_cast<unsigned>(first) + random() % more);
    };
    const std::int64_t word = power(0, 5), sector = power(4, 3), capacity = power(8, 12),
                       reach = power(0, 14);
    RecentAtoms slow(sector, capacity, reach);
    RecentWrites fast(word, sector, capacity, reach);
    for (const WarpRequest& request : random_stream(random, word)) {
      fast.write(request.address, request.mask);
      slow.next_request();
      for (std::size_t l = 0; l < 32; ++l)
        if (request.mask >> l & 1) slow.write_one(request.address[l], word);
    }
    fast.forget_all();
    slow.forget_all();
    ASSERT_EQ(fast.bytes_written(), sector * slow.written) << "seed " << seed;
    ASSERT_EQ(fast.bytes_filled(), sector * slow.filled) << "seed " << seed;
    ASSERT_EQ(fast.rows_written(), slow.rows_written) << "seed " << seed;
    ASSERT_EQ(fast.rows_read(), slow.rows_read) << "seed " << seed;
    ASSERT_EQ(fast.split_lines(), slow.split) << "seed " << seed;
  }
}

} // namespace
} // namespace perfmodel
