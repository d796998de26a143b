#include "models/access/recent_reads.hpp"

#include "tests/models/access/slow_atoms.hpp"
#include "tests/models/access/streams.hpp"

#include <functional>
#include <set>

#include <gtest/gtest.h>

namespace perfmodel::recent_reads_test {

constexpr std::int64_t mib = 1 << 20;

void read(RecentReads& reads, std::int64_t address) {
  const Transaction one{address, 32};
  reads.read({&one, 1});
}

TEST(RecentReads, reads_every_atom_once_while_the_cache_holds_them) {
  RecentReads reads(32, mib);
  for (int pass = 0; pass < 3; ++pass)
    for (std::int64_t a = 0; a < mib / 4; a += 32) read(reads, a);
  EXPECT_EQ(reads.bytes_read(), mib / 4);
}

TEST(RecentReads, reads_again_what_the_cache_cannot_hold) {
  RecentReads reads(32, mib);
  for (int pass = 0; pass < 3; ++pass)
    for (std::int64_t a = 0; a < 2 * mib; a += 32) read(reads, a);
  EXPECT_EQ(reads.bytes_read(), 3 * 2 * mib);
}

TEST(RecentReads, fetches_whole_atoms) {
  RecentReads reads(64, mib);
  read(reads, 32);
  EXPECT_EQ(reads.bytes_read(), 64);
  read(reads, 0);
  EXPECT_EQ(reads.bytes_read(), 64);
}

TEST(RecentReads, counts_what_a_set_counts_where_the_cache_holds_all) {
  std::mt19937 random(3);
  for (const std::int64_t atom : {32, 64}) {
    RecentReads reads(atom, 64 * mib, 128, SIZE_MAX);
    std::set<std::int64_t> touched;
    for (int i = 0; i < 60'000; ++i) {
      const std::int64_t a = (static_cast<std::int64_t>(random() % 400'000) * 4) & ~std::int64_t{31};
      read(reads, a);
      touched.insert(a >> (atom == 32 ? 5 : 6));
    }
    EXPECT_EQ(reads.bytes_read(), atom * static_cast<std::int64_t>(touched.size()));
  }
}

// Caches from a few atoms on, so that generations end within a request and come back to a page; rows within a
// page and beyond it.
TEST(RecentReads, counts_what_a_map_of_lines_counts) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const auto power = [&](int first, unsigned more) {
      return std::int64_t{1} << (static_cast<unsigned>(first) + random() % more);
    };
    const std::int64_t atom = power(4, 3), transaction = power(4, 4), capacity = power(8, 15),
                       reach = power(0, 14);
    SlowAtoms slow(atom, capacity, reach);
    RecentReads fast(atom, capacity, reach, SIZE_MAX);
    for (const WarpRequest& request : random_stream(random, 4)) {
      std::vector<Transaction> all;
      for (std::size_t l = 0; l < 32; ++l)
        if (request.mask >> l & 1) all.push_back({request.address[l] & ~(transaction - 1), transaction});
      fast.read(all);
      for (const Transaction& t : all)
        for (std::int64_t at = t.address & ~(atom - 1); at < t.address + transaction; at += atom)
          slow.read_one(at);
    }
    ASSERT_EQ(fast.bytes_read(), atom * slow.read) << "seed " << seed;
    ASSERT_EQ(fast.rows_read(), slow.rows_read) << "seed " << seed;
  }
}

// Of more pages than are followed: what a large launch does to them, one word of each warp's lanes a time.
std::int64_t atoms_of(const std::function<std::int64_t(std::int64_t)>& address, std::int64_t threads,
                      std::int64_t capacity) {
  RecentReads reads(32, capacity);
  for (std::int64_t i = 0; i < threads; ++i) read(reads, address(i) & ~std::int64_t{31});
  EXPECT_GT(reads.sample().pieces_for_one(), 1);
  return reads.bytes_read() / 32;
}

TEST(RecentReads, a_sample_counts_equal_accesses_exactly) {
  constexpr std::int64_t n = 1 << 20;
  for (const std::int64_t step : {256, 512, 1000, 4096, 20'000})
    EXPECT_EQ(atoms_of([&](std::int64_t i) { return i * step; }, n, 32 * mib), n) << "step " << step;
}

TEST(RecentReads, a_sample_stands_for_what_comes_back) {
  constexpr std::int64_t n = 1 << 19; // 128 MiB, twice: half of the cache's generation or twice all of it
  const auto twice = [](std::int64_t i) { return i % n * 256; };
  EXPECT_NEAR(static_cast<double>(atoms_of(twice, 2 * n, 64 * mib)), n, 0.01 * n);
  EXPECT_NEAR(static_cast<double>(atoms_of(twice, 2 * n, 4 * mib)), 2 * n, 0.01 * n);
}

// A lane in 32 reads one word that stays in the cache, whether it is in the sample or not.
TEST(RecentReads, a_sample_is_not_led_astray_by_one_page_that_all_read) {
  constexpr std::int64_t n = 1 << 20;
  for (std::int64_t hot = 0; hot < 12; ++hot)
    EXPECT_NEAR(static_cast<double>(atoms_of(
                    [&](std::int64_t i) { return i % 4 == 0 ? hot << 20 : (i + n) << 10; }, n, 32 * mib)),
                0.75 * n, 0.02 * n)
        << "page at " << hot << " MiB";
}

TEST(RecentReads, a_sample_counts_what_a_map_of_lines_counts) {
  constexpr std::int64_t capacity = 8 * mib;
  for (unsigned seed = 0; seed < 3; ++seed) {
    std::mt19937_64 random(seed);
    SlowAtoms slow(32, capacity, 128);
    RecentReads fast(32, capacity);
    for (int i = 0; i < 300'000; ++i) {
      const std::int64_t address = static_cast<std::int64_t>(random() % (512u << 20)) & ~std::int64_t{31};
      slow.read_one(address);
      read(fast, address);
    }
    ASSERT_GT(fast.sample().pieces_for_one(), 1);
    const auto reads = static_cast<double>(slow.read);
    EXPECT_NEAR(static_cast<double>(fast.bytes_read()) / 32, reads, 0.01 * reads) << "seed " << seed;
    EXPECT_NEAR(fast.rows_read(), slow.rows_read, 0.01 * slow.rows_read) << "seed " << seed;
  }
}

} // namespace perfmodel::recent_reads_test
