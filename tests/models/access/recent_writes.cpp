#include "models/access/recent_writes.hpp"

#include "tests/models/access/slow_atoms.hpp"
#include "tests/models/access/streams.hpp"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::recent_writes_test {

constexpr std::int64_t mib = 1 << 20;

using Writes = RecentWrites<std::uint64_t>;

void write(Writes& writes, std::int64_t address) {
  const std::array<std::int64_t, warp_lanes> lane_0{address};
  writes.write(lane_0, 1, ascending(lane_0, 1));
}

TEST(RecentWrites, written_whole_need_no_fill_and_written_in_part_one_each) {
  Writes whole(4, 32, mib), half(4, 32, mib);
  for (std::int64_t a = 0; a < 4096; a += 4) write(whole, a);
  for (std::int64_t a = 0; a < 4096; a += 8) write(half, a);
  const WriteCounts of_whole = whole.take(), of_half = half.take();
  EXPECT_EQ(of_whole.bytes_filled, 0);
  EXPECT_EQ(of_whole.bytes_written, 4096);
  EXPECT_EQ(of_half.bytes_filled, 4096);
  EXPECT_EQ(of_half.bytes_written, 4096);
}

TEST(RecentWrites, written_in_two_parts_need_no_fill_if_the_second_comes_in_time) {
  Writes soon(4, 32, mib), late(4, 32, mib);
  for (const std::int64_t first : {0, 4}) // even words, then odd ones
    for (std::int64_t a = first; a < mib / 4; a += 8) write(soon, a);
  for (const std::int64_t first : {0, 4})
    for (std::int64_t a = first; a < 4 * mib; a += 8) write(late, a);
  EXPECT_EQ(soon.take().bytes_filled, 0);
  EXPECT_EQ(late.take().bytes_filled, 2 * 4 * mib);
}

TEST(RecentWrites, counts_what_a_map_counts_where_the_cache_holds_all) {
  std::mt19937 random(3);
  Writes writes(4, 32, 64 * mib, 128, SIZE_MAX);
  std::map<std::int64_t, std::uint32_t> written; // of each sector
  for (int i = 0; i < 60'000; ++i) {
    const std::int64_t a = static_cast<std::int64_t>(random() % 400'000) * 4;
    write(writes, a);
    written[a >> 5] |= 0xFu << (a & 31);
  }
  const WriteCounts counts = writes.take();
  const auto in_part = [](const auto& sector) { return sector.second != ~std::uint32_t{0}; };
  EXPECT_EQ(counts.bytes_written, 32 * static_cast<std::int64_t>(written.size()));
  EXPECT_EQ(counts.bytes_filled, 32 * std::count_if(written.begin(), written.end(), in_part));
}

// Caches from a few sectors on, so that generations end within a request; every word and sector; rows within
// a page and beyond it.
template <class Words> void counts_what_a_map_of_lines_counts(std::int64_t least_word, unsigned words) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const auto power = [&](std::int64_t first, unsigned more) { return first << random() % more; };
    const std::int64_t word = power(least_word, words), sector = power(16, 3), capacity = power(256, 15),
                       reach = power(1, 14);
    SlowAtoms slow(sector, capacity, reach);
    RecentWrites<Words> fast(word, sector, capacity, reach, SIZE_MAX);
    for (const WarpRequest& request : random_stream(random, word)) {
      fast.write(request.address, request.mask, ascending(request.address, request.mask));
      slow.next_request();
      for (std::size_t l = 0; l < 32; ++l)
        if (request.mask >> l & 1) slow.write_one(request.address[l], word);
    }
    const WriteCounts counts = fast.take();
    slow.forget_all();
    ASSERT_EQ(counts.bytes_written, sector * slow.written) << "seed " << seed;
    ASSERT_EQ(counts.bytes_filled, sector * slow.filled) << "seed " << seed;
    ASSERT_EQ(counts.rows_written, slow.rows_written) << "seed " << seed;
    ASSERT_EQ(counts.rows_read, slow.rows_read) << "seed " << seed;
    ASSERT_EQ(counts.split_lines, slow.split) << "seed " << seed;
    ASSERT_EQ(counts.shared_fills, slow.shared_fills) << "seed " << seed;
  }
}

TEST(RecentWrites, counts_what_a_map_of_lines_counts) {
  counts_what_a_map_of_lines_counts<std::uint64_t>(2, 4);
  counts_what_a_map_of_lines_counts<Words128>(1, 1);
}

// One word of each of a million sectors apart, or both halves of each in turn, which is more than is
// followed.
TEST(RecentWrites, a_sample_counts_equal_accesses_exactly) {
  constexpr std::int64_t n = 1 << 20;
  Writes once(4, 32, 32 * mib), whole(16, 32, 32 * mib);
  for (std::int64_t i = 0; i < n; ++i) {
    write(once, i * 4096);
    write(whole, i * 4096);
    write(whole, i * 4096 + 16);
  }
  EXPECT_GT(once.sample().pieces_for_one(), 1);
  const WriteCounts apart = once.take(), halves = whole.take();
  EXPECT_EQ(apart.bytes_written, n * 32);
  EXPECT_EQ(apart.bytes_filled, n * 32);
  EXPECT_NEAR(static_cast<double>(halves.bytes_written), n * 32, 0.001 * n * 32);
  EXPECT_EQ(halves.bytes_filled, 0);
}

TEST(RecentWrites, a_sample_counts_what_a_map_of_lines_counts) {
  constexpr std::int64_t capacity = 8 * mib;
  for (unsigned seed = 0; seed < 3; ++seed) {
    std::mt19937_64 random(seed);
    SlowAtoms slow(32, capacity, 256);
    Writes fast(4, 32, capacity, 256);
    for (int i = 0; i < 300'000; ++i) {
      const std::int64_t address = static_cast<std::int64_t>(random() % (64u << 20)) & ~std::int64_t{3};
      slow.next_request();
      slow.write_one(address, 4);
      write(fast, address);
    }
    const auto pieces = static_cast<double>(fast.sample().pieces_for_one());
    ASSERT_GT(pieces, 1);
    const WriteCounts counts = fast.take();
    slow.forget_all();
    const auto near = [&](double sampled, auto counted, const char* what) { // four standard deviations
      const auto wanted = static_cast<double>(counted);
      EXPECT_NEAR(sampled, wanted, 4 * std::sqrt(wanted * pieces)) << what << ", seed " << seed;
    };
    near(static_cast<double>(counts.bytes_written) / 32, slow.written, "written");
    near(static_cast<double>(counts.bytes_filled) / 32, slow.filled, "filled");
    near(static_cast<double>(counts.split_lines), slow.split, "split");
    near(static_cast<double>(counts.shared_fills), slow.shared_fills, "filled for two");
    near(counts.rows_written, slow.rows_written, "rows written");
    near(counts.rows_read, slow.rows_read, "rows read");
  }
}

} // namespace perfmodel::recent_writes_test
