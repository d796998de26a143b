// What holds for every rule and any addresses, on many random warps.
#include "models/access/transactions.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace perfmodel::transactions_properties_test {

using Addresses = std::array<std::int64_t, warp_lanes>;

struct Warp {
  Addresses address{};
  std::uint32_t mask = 0;
  std::int64_t word = 4;
};

// The different ones: many architectures have the same.
std::vector<CoalescingRule> read_rules() {
  std::vector<CoalescingRule> all;
  const auto add = [&](const Gpu& gpu, GlobalAccess access, LoadCache cache) {
    const CoalescingRule rule = coalescing_rule(gpu, access, cache);
    if (std::find(all.begin(), all.end(), rule) == all.end()) all.push_back(rule);
  };
  for (const std::string& cc : every_compute_capability())
    for (const GlobalAccess access : {GlobalAccess::load, GlobalAccess::store})
      add(database().architecture(cc), access, LoadCache::standard);
  add(gpu_named("m2090"), GlobalAccess::load, LoadCache::l2);
  add(gpu_named("k40"), GlobalAccess::load, LoadCache::l1);
  return all;
}

const std::vector<CoalescingRule>& rules() {
  static const std::vector<CoalescingRule> all = read_rules();
  return all;
}

template <class Check> void for_random_warps(Check check) {
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int trial = 0; trial < 400; ++trial) {
    Warp w;
    w.word = std::int64_t{1} << below(5);
    w.mask = below(3) == 0 ? static_cast<std::uint32_t>(random()) : ~std::uint32_t{0};
    const int spread = 1 << below(12);
    const std::int64_t stride = below(40) - 8, offset = below(64);
    const bool linear = below(2) == 0;
    for (std::size_t l = 0; l < warp_lanes; ++l)
      w.address[l] = w.word * (linear ? offset + stride * static_cast<std::int64_t>(l) : below(spread));
    for (const CoalescingRule& r : rules()) check(r, w);
  }
}

std::set<std::int64_t> bytes_asked(const Warp& w) {
  std::set<std::int64_t> bytes;
  for (std::size_t l = 0; l < warp_lanes; ++l)
    if (w.mask >> l & 1)
      for (std::int64_t b = 0; b < w.word; ++b) bytes.insert(w.address[l] + b);
  return bytes;
}

TEST(TransactionsProperties, every_byte_asked_for_is_moved_by_aligned_transactions) {
  for_random_warps([](const CoalescingRule& r, const Warp& w) {
    const Transactions t = transactions(r, w.address, w.mask, w.word);
    std::set<std::int64_t> moved;
    std::int64_t sum = 0;
    for (const Transaction& piece : t.all()) {
      ASSERT_EQ(piece.address & (piece.bytes - 1), 0);
      sum += piece.bytes;
      for (std::int64_t b = 0; b < piece.bytes; ++b) moved.insert(piece.address + b);
    }
    ASSERT_EQ(sum, t.moved);
    const std::set<std::int64_t> asked = bytes_asked(w);
    ASSERT_TRUE(std::includes(moved.begin(), moved.end(), asked.begin(), asked.end()));
    ASSERT_GE(t.moved, t.unique);
    ASSERT_GE(t.unique, static_cast<std::int64_t>(asked.size()));
    ASSERT_LE(t.unique, w.word * std::popcount(w.mask));
  });
}

TEST(TransactionsProperties, the_order_of_a_requests_threads_counts_on_g80_alone) {
  std::mt19937 random(2);
  for_random_warps([&](const CoalescingRule& r, Warp w) {
    const Transactions before = transactions(r, w.address, w.mask, w.word);
    w.mask = ~std::uint32_t{0};
    const Transactions all = transactions(r, w.address, w.mask, w.word);
    if (r.kind == CoalescingRule::Kind::strict) return;
    const auto threads = static_cast<std::ptrdiff_t>(r.threads_of(w.word));
    for (std::ptrdiff_t first = 0; first < 32; first += threads)
      std::shuffle(w.address.begin() + first, w.address.begin() + first + threads, random);
    const Transactions mixed = transactions(r, w.address, w.mask, w.word);
    ASSERT_EQ(mixed.count, all.count);
    ASSERT_EQ(mixed.moved, all.moved);
    ASSERT_EQ(mixed.unique, all.unique);
    if (r.kind == CoalescingRule::Kind::distinct) {
      ASSERT_LE(before.moved, all.moved); // fewer threads never move more
    }
  });
}

// Brute force: the different pieces of all bytes asked for, request by request.
TEST(TransactionsProperties, from_cc_2_on_are_the_different_pieces_that_a_request_touches) {
  for_random_warps([](const CoalescingRule& r, const Warp& w) {
    if (r.kind != CoalescingRule::Kind::distinct) return;
    std::size_t pieces = 0;
    const auto threads = static_cast<std::size_t>(r.threads_of(w.word));
    for (std::size_t first = 0; first < warp_lanes; first += threads) {
      Warp part = w;
      part.mask &= (threads == 32 ? ~std::uint32_t{0} : ((std::uint32_t{1} << threads) - 1) << first);
      std::set<std::int64_t> touched;
      for (const std::int64_t b : bytes_asked(part)) touched.insert(b & ~(r.most - 1));
      pieces += touched.size();
    }
    ASSERT_EQ(transactions(r, w.address, w.mask, w.word).count, pieces);
  });
}

// Programming Guide 4.2, F.3.2.2, step by step: the segment of the lowest active thread; all threads in it;
// the half of it, and again, if they need no more.
TEST(TransactionsProperties, of_gt200_are_those_of_the_guides_protocol) {
  for_random_warps([](const CoalescingRule& r, const Warp& w) {
    if (r.kind != CoalescingRule::Kind::segments) return;
    std::multiset<std::int64_t> sizes, got;
    for (std::size_t first = 0; first < warp_lanes; first += 16) {
      std::set<std::size_t> active;
      for (std::size_t l = first; l < first + 16; ++l)
        if (w.mask >> l & 1) active.insert(l);
      while (!active.empty()) {
        std::int64_t size = w.word == 1 ? 32 : w.word == 2 ? 64 : 128;
        std::int64_t start = w.address[*active.begin()] & ~(size - 1);
        std::set<std::int64_t> used;
        for (auto l = active.begin(); l != active.end();)
          if ((w.address[*l] & ~(size - 1)) == start) {
            used.insert(w.address[*l]), used.insert(w.address[*l] + w.word - 1);
            l = active.erase(l);
          } else {
            ++l;
          }
        while (size > 32 && (*used.rbegin() < start + size / 2 || *used.begin() >= start + size / 2)) {
          size /= 2;
          if (*used.begin() >= start + size) start += size;
        }
        sizes.insert(size);
      }
    }
    const Transactions t = transactions(r, w.address, w.mask, w.word);
    for (const Transaction& piece : t.all()) got.insert(piece.bytes);
    ASSERT_EQ(got, sizes);
  });
}

} // namespace perfmodel::transactions_properties_test
