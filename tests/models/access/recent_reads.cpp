#include "models/access/recent_reads.hpp"

#include "tests/models/access/slow_atoms.hpp"
#include "tests/models/access/streams.hpp"

#include <set>

#include <gtest/gtest.h>

namespace perfmodel {
namespace {

constexpr std::int64_t mib = 1 << 20;

void read(RecentReads& reads, std::int64_t address) {
  const Transaction one{address, 32};
  reads.read({&one, 1});
}

TEST(RecentReads, reads_every_atom_once_while_the_cache_holds_them) {
  RecentReads reads(32, mib);
  for (int pass = 0; pass < 3; ++pass)
    for (std::int64_t a = 0; a < mib / 4; a += 32) read(reads, a);
  reads.count_all();
  EXPECT_EQ(reads.bytes_read(), mib / 4);
}

TEST(RecentReads, reads_again_what_the_cache_cannot_hold) {
  RecentReads reads(32, mib);
  for (int pass = 0; pass < 3; ++pass)
    for (std::int64_t a = 0; a < 2 * mib; a += 32) read(reads, a);
  reads.count_all();
  EXPECT_EQ(reads.bytes_read(), 3 * 2 * mib);
}

TEST(RecentReads, fetches_whole_atoms) {
  RecentReads reads(64, mib);
  read(reads, 32);
  reads.count_all();
  EXPECT_EQ(reads.bytes_read(), 64);
  read(reads, 0);
  reads.count_all();
  EXPECT_EQ(reads.bytes_read(), 64);
}

TEST(RecentReads, counts_what_a_set_counts_where_the_cache_holds_all) {
  std::mt19937 random(3);
  for (const std::int64_t atom : {32, 64}) {
    RecentReads reads(atom, 64 * mib);
    std::set<std::int64_t> touched;
    for (int i = 0; i < 60'000; ++i) {
      const std::int64_t a = (static_cast<std::int64_t>(random() % 400'000) * 4) & ~std::int64_t{31};
      read(reads, a);
      touched.insert(a >> (atom == 32 ? 5 : 6));
    }
    reads.count_all();
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
    RecentReads fast(atom, capacity, reach);
    for (const WarpRequest& request : random_stream(random, 4)) {
      std::vector<Transaction> all;
      for (std::size_t l = 0; l < 32; ++l)
        if (request.mask >> l & 1) all.push_back({request.address[l] & ~(transaction - 1), transaction});
      fast.read(all);
      for (const Transaction& t : all)
        for (std::int64_t at = t.address & ~(atom - 1); at < t.address + transaction; at += atom)
          slow.read_one(at);
    }
    fast.count_all();
    ASSERT_EQ(fast.bytes_read(), atom * slow.read) << "seed " << seed;
    ASSERT_EQ(fast.rows_read(), slow.rows_read) << "seed " << seed;
  }
}

} // namespace
} // namespace perfmodel
