#include "models/access/recent_atoms.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace perfmodel {
namespace {

constexpr std::int64_t mib = 1 << 20;

TEST(RecentAtoms, reads_every_atom_once_while_the_cache_holds_them) {
  RecentAtoms atoms(32, 32, mib);
  for (int pass = 0; pass < 3; ++pass)
    for (std::int64_t a = 0; a < mib / 4; a += 32) atoms.read(a, 32);
  EXPECT_EQ(atoms.bytes_read(), mib / 4);
}

TEST(RecentAtoms, reads_again_what_the_cache_cannot_hold) {
  RecentAtoms atoms(32, 32, mib);
  for (int pass = 0; pass < 3; ++pass)
    for (std::int64_t a = 0; a < 2 * mib; a += 32) atoms.read(a, 32);
  EXPECT_EQ(atoms.bytes_read(), 3 * 2 * mib);
}

TEST(RecentAtoms, fetches_whole_atoms) {
  RecentAtoms atoms(64, 32, mib);
  atoms.read(32, 32);
  EXPECT_EQ(atoms.bytes_read(), 64);
  atoms.read(0, 32);
  EXPECT_EQ(atoms.bytes_read(), 64);
}

TEST(RecentAtoms, written_whole_need_no_fill_and_written_in_part_one_each) {
  RecentAtoms whole(32, 32, mib), half(32, 32, mib);
  for (std::int64_t a = 0; a < 4096; a += 4) whole.write(a, 4);
  for (std::int64_t a = 0; a < 4096; a += 8) half.write(a, 4);
  whole.forget_all();
  half.forget_all();
  EXPECT_EQ(whole.bytes_filled(), 0);
  EXPECT_EQ(whole.bytes_written(), 4096);
  EXPECT_EQ(half.bytes_filled(), 4096);
  EXPECT_EQ(half.bytes_read(), 4096);
  EXPECT_EQ(half.bytes_written(), 4096);
}

TEST(RecentAtoms, written_in_two_parts_need_no_fill_if_the_second_comes_in_time) {
  RecentAtoms soon(32, 32, mib), late(32, 32, mib);
  for (const std::int64_t first : {0, 4}) // even words, then odd ones
    for (std::int64_t a = first; a < mib / 4; a += 8) soon.write(a, 4);
  for (const std::int64_t first : {0, 4})
    for (std::int64_t a = first; a < 4 * mib; a += 8) late.write(a, 4);
  soon.forget_all();
  late.forget_all();
  EXPECT_EQ(soon.bytes_filled(), 0);
  EXPECT_EQ(late.bytes_filled(), 2 * 4 * mib);
}

// Against sets and maps, where the cache holds all.
TEST(RecentAtoms, counts_what_sets_count) {
  std::mt19937 random(3);
  for (const std::int64_t atom : {32, 64}) {
    RecentAtoms reads(atom, 32, 64 * mib), writes(atom, 32, 64 * mib);
    std::set<std::int64_t> touched;
    std::map<std::int64_t, std::uint32_t> written; // of each sector
    for (int i = 0; i < 60'000; ++i) {
      const std::int64_t a = static_cast<std::int64_t>(random() % 400'000) * 4 - 800'000;
      reads.read(a & ~std::int64_t{31}, 32);
      touched.insert(a >> (atom == 32 ? 5 : 6));
      writes.write(a, 4);
      written[a >> 5] |= 0xFu << (a & 31);
    }
    writes.forget_all();
    std::set<std::int64_t> fills;
    for (const auto& [sector, bytes] : written)
      if (bytes != ~std::uint32_t{0}) fills.insert(atom == 32 ? sector : sector >> 1);
    EXPECT_EQ(reads.bytes_read(), atom * static_cast<std::int64_t>(touched.size()));
    EXPECT_EQ(writes.bytes_written(), 32 * static_cast<std::int64_t>(written.size()));
    EXPECT_EQ(writes.bytes_filled(), atom * static_cast<std::int64_t>(fills.size()));
  }
}

} // namespace
} // namespace perfmodel
