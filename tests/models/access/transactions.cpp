// The table of the specification, cell by cell: transactions, bytes and share of useful bytes of one warp.
#include "models/access/transactions.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace perfmodel::transactions_test {

using Addresses = std::array<std::int64_t, warp_lanes>;
constexpr std::uint32_t all_lanes = ~std::uint32_t{0};

Addresses strided(std::int64_t word, std::int64_t stride, std::int64_t offset = 0) {
  Addresses a{};
  for (std::size_t l = 0; l < warp_lanes; ++l) a[l] = word * (offset + stride * static_cast<std::int64_t>(l));
  return a;
}
Addresses reversed() {
  Addresses a = strided(4, 1);
  std::reverse(a.begin(), a.end());
  return a;
}

CoalescingRule rule(const std::string& gpu, GlobalAccess access = GlobalAccess::load,
                    LoadCache cache = LoadCache::standard) {
  return coalescing_rule(gpu_named(gpu), access, cache);
}
CoalescingRule g80() { return rule("8800gtx"); }
CoalescingRule gt200() { return rule("gtx280"); }
CoalescingRule fermi() { return rule("m2090"); }
CoalescingRule fermi_l2() { return rule("m2090", GlobalAccess::load, LoadCache::l2); }

double efficiency(const Transactions& t) {
  return static_cast<double>(t.unique) / static_cast<double>(t.moved);
}

struct Cell {
  std::size_t count;
  std::int64_t bytes;
  double efficiency; // as printed, to 0.001
};
void expect(const CoalescingRule& r, const Addresses& a, Cell want, const std::string& what,
            std::int64_t word = 4) {
  const Transactions t = transactions(r, a, all_lanes, word);
  EXPECT_EQ(t.count, want.count) << what;
  EXPECT_EQ(t.moved, want.bytes) << what;
  EXPECT_NEAR(efficiency(t), want.efficiency, 0.0006) << what;
}

TEST(Transactions, are_those_of_the_table) {
  struct Row {
    std::string access;
    Addresses addresses;
    Cell g80, gt200, lines, sectors;
  };
  const Cell alone{32, 1024, 0.125};
  const std::vector<Row> table{
      {"aligned", strided(4, 1), {2, 128, 1}, {2, 128, 1}, {1, 128, 1}, {4, 128, 1}},
      {"offset 1", strided(4, 1, 1), alone, {3, 224, 0.571}, {2, 256, 0.5}, {5, 160, 0.8}},
      {"offset 2", strided(4, 1, 2), alone, {3, 224, 0.571}, {2, 256, 0.5}, {5, 160, 0.8}},
      {"offset 4", strided(4, 1, 4), alone, {3, 224, 0.571}, {2, 256, 0.5}, {5, 160, 0.8}},
      {"offset 15", strided(4, 1, 15), alone, {3, 224, 0.571}, {2, 256, 0.5}, {5, 160, 0.8}},
      {"offset 8", strided(4, 1, 8), alone, {3, 192, 0.667}, {2, 256, 0.5}, {4, 128, 1}},
      {"offset 16", strided(4, 1, 16), {2, 128, 1}, {2, 128, 1}, {2, 256, 0.5}, {4, 128, 1}},
      {"stride 2", strided(4, 2), alone, {2, 256, 0.5}, {2, 256, 0.5}, {8, 256, 0.5}},
      {"stride 3", strided(4, 3), alone, {4, 384, 0.333}, {3, 384, 0.333}, {12, 384, 0.333}},
      {"stride 8", strided(4, 8), alone, {8, 1024, 0.125}, {8, 1024, 0.125}, {32, 1024, 0.125}},
      {"stride 16", strided(4, 16), alone, {16, 2048, 0.0625}, {16, 2048, 0.0625}, {32, 1024, 0.125}},
      {"stride 32", strided(4, 32), alone, {32, 1024, 0.125}, {32, 4096, 0.031}, {32, 1024, 0.125}},
      {"reversed", reversed(), alone, {2, 128, 1}, {1, 128, 1}, {4, 128, 1}},
  };
  for (const Row& row : table) {
    expect(g80(), row.addresses, row.g80, "cc 1.0, " + row.access);
    expect(gt200(), row.addresses, row.gt200, "cc 1.3, " + row.access);
    expect(fermi(), row.addresses, row.lines, "cc 2.0, " + row.access);
    expect(fermi_l2(), row.addresses, row.sectors, "cc 2.0 without L1, " + row.access);
    expect(rule("m2090", GlobalAccess::store), row.addresses, row.sectors, "cc 2.0, store, " + row.access);
    for (const char* gpu : {"k20c", "gtx980", "p100", "v100", "a100-80", "h200", "rtx5090"})
      expect(rule(gpu), row.addresses, row.sectors, std::string(gpu) + ", " + row.access);
  }
}

TEST(Transactions, of_wide_words_in_order_move_nothing_else_on_any_capability) {
  for (const std::int64_t word : {8, 16})
    for (const CoalescingRule& r : {g80(), gt200(), fermi(), fermi_l2(), rule("k20c"), rule("h200")}) {
      const Transactions t = transactions(r, strided(word, 1), all_lanes, word);
      EXPECT_EQ(t.moved, 32 * word);
      EXPECT_DOUBLE_EQ(efficiency(t), 1);
    }
  // cc 1.0: 128 B for a half-warp of 8 B words, 2 x 128 B of 16 B words.
  EXPECT_EQ(transactions(g80(), strided(8, 1), all_lanes, 8).count, 2u);
  EXPECT_EQ(transactions(g80(), strided(16, 1), all_lanes, 16).count, 4u);
}

TEST(Transactions, over_offsets_0_to_31_have_the_tables_mean_efficiency) {
  const auto mean = [](const CoalescingRule& r) {
    double sum = 0;
    for (std::int64_t offset = 0; offset < 32; ++offset)
      sum += efficiency(transactions(r, strided(4, 1, offset), all_lanes, 4));
    return sum / 32;
  };
  EXPECT_NEAR(mean(g80()), 0.180, 0.0005);
  EXPECT_NEAR(mean(gt200()), 0.604, 0.0005);
  EXPECT_NEAR(mean(fermi()), 0.516, 0.0005);
  EXPECT_NEAR(mean(fermi_l2()), 0.825, 0.0005);
  EXPECT_NEAR(mean(rule("h200")), 0.825, 0.0005);
}

// The lecture's "two transfers" per half-warp from cc 1.2 on: the first half-warp at offset 1 needs one, the
// second two; over the offsets that are not aligned 1.5 is the mean.
TEST(Transactions, of_a_shifted_half_warp_of_gt200_are_one_or_two) {
  const Transactions t = transactions(gt200(), strided(4, 1, 1), all_lanes, 4);
  ASSERT_EQ(t.count, 3u);
  EXPECT_EQ(t.list[0], (Transaction{0, 128}));
  EXPECT_EQ(t.list[1], (Transaction{64, 64}));
  EXPECT_EQ(t.list[2], (Transaction{128, 32}));
  double sum = 0;
  for (std::int64_t offset = 1; offset < 16; ++offset)
    sum += static_cast<double>(transactions(gt200(), strided(4, 1, offset), all_lanes, 4).count) / 2;
  EXPECT_DOUBLE_EQ(sum / 15, 1.5);
}

// Programming Guide 4.2, F.3.2.2: 32 B segments for words of 1 B, 64 B for 2 B, 128 B for more; then halved.
TEST(Transactions, of_narrow_words_on_gt200_have_smaller_segments) {
  const Transactions bytes = transactions(gt200(), strided(1, 1), all_lanes, 1);
  EXPECT_EQ(bytes.count, 2u); // half-warps are apart: 16 B each of one 32 B segment
  EXPECT_EQ(bytes.moved, 64);
  EXPECT_EQ(transactions(gt200(), strided(1, 32), all_lanes, 1).count, 32u);
  EXPECT_EQ(transactions(gt200(), strided(2, 32), all_lanes, 2).moved, 32 * 32);
  EXPECT_EQ(transactions(gt200(), strided(2, 1), all_lanes, 2).moved, 64);
}

TEST(Transactions, of_narrow_words_on_g80_are_never_coalesced) {
  for (const std::int64_t word : {1, 2}) {
    const Transactions t = transactions(g80(), strided(word, 1), all_lanes, word);
    EXPECT_EQ(t.count, 32u);
    EXPECT_EQ(t.moved, 32 * 32);
  }
}

TEST(Transactions, of_g80_may_lack_threads_but_not_mix_them) {
  EXPECT_EQ(transactions(g80(), strided(4, 1), 0xFFFFFFF7, 4).count, 2u);
  EXPECT_EQ(transactions(g80(), strided(4, 1), 0x00000008, 4).moved, 64);
  Addresses swapped = strided(4, 1);
  std::swap(swapped[0], swapped[1]);
  EXPECT_EQ(transactions(g80(), swapped, all_lanes, 4).count, 17u); // the other half-warp is in order
  EXPECT_EQ(transactions(gt200(), swapped, all_lanes, 4).count, 2u);
}

// Of words of 8 and 16 B, Fermi and Kepler make requests of half- and quarter-warps.
TEST(Transactions, of_wide_words_are_counted_request_by_request) {
  EXPECT_EQ(transactions(fermi(), strided(8, 1), all_lanes, 8).requests, 2);
  EXPECT_EQ(transactions(fermi(), strided(16, 1), all_lanes, 16).requests, 4);
  EXPECT_EQ(transactions(rule("k20c"), strided(16, 0), all_lanes, 16).count, 4u); // a sector for each request
  EXPECT_EQ(transactions(rule("h200"), strided(16, 1), all_lanes, 16).requests, 1);
  EXPECT_EQ(transactions(rule("h200"), strided(16, 1), all_lanes, 16).count, 16u);
  EXPECT_EQ(transactions(rule("h200"), strided(16, 0), all_lanes, 16).count, 1u);
}

TEST(Transactions, of_no_active_thread_are_none) {
  for (const CoalescingRule& r : {g80(), gt200(), fermi(), rule("h200")}) {
    const Transactions t = transactions(r, strided(4, 1), 0, 4);
    EXPECT_EQ(t.count, 0u);
    EXPECT_EQ(t.requests, 0);
    EXPECT_EQ(t.moved, 0);
  }
}

TEST(Transactions, of_one_word_for_all_threads_are_one_and_of_negative_addresses_are_aligned_too) {
  const Transactions t = transactions(rule("h200"), strided(4, 0, 9), all_lanes, 4);
  EXPECT_EQ(t.count, 1u);
  EXPECT_EQ(t.unique, 4);
  EXPECT_EQ(t.moved, 32);
  EXPECT_EQ(transactions(rule("h200"), strided(4, 1, -1), all_lanes, 4).list[0], (Transaction{-32, 32}));
}

TEST(CoalescingRules, are_known_for_every_capability) {
  for (const std::string& cc : every_compute_capability()) {
    const Gpu gpu = database().architecture(cc);
    for (const GlobalAccess access : {GlobalAccess::load, GlobalAccess::store})
      EXPECT_EQ(error_of([&] { coalescing_rule(gpu, access, LoadCache::standard); }), "no error") << cc;
  }
}

TEST(CoalescingRules, of_a_cache_that_a_device_does_not_have_are_its_usual_ones) {
  EXPECT_EQ(rule("gtx280", GlobalAccess::load, LoadCache::l1).kind, CoalescingRule::Kind::segments);
  const Gpu kepler = database().architecture("3.0");
  EXPECT_EQ(coalescing_rule(kepler, GlobalAccess::load, LoadCache::l1).most, 32);
  EXPECT_EQ(rule("k40", GlobalAccess::load, LoadCache::l1).most, 128);
  EXPECT_EQ(rule("k40").most, 32);
  EXPECT_TRUE(rule("h200").l1);
  EXPECT_FALSE(rule("h200", GlobalAccess::load, LoadCache::l2).l1);
  EXPECT_FALSE(rule("h200", GlobalAccess::store).l1);
}

TEST(CoalescingRules, refuse_sizes_that_are_no_powers_of_two) {
  const Gpu odd = with_facts(gpu_named("h200"), {{"coalescing.transactions", "48 B"}});
  EXPECT_EQ(error_of([&] { coalescing_rule(odd, GlobalAccess::load, LoadCache::standard); }),
            "h200: coalescing.transactions is no power of two");
  const Gpu unknown = with_facts(gpu_named("h200"), {{"coalescing.class", "magic"}});
  EXPECT_EQ(error_of([&] { coalescing_rule(unknown, GlobalAccess::load, LoadCache::standard); }),
            "h200: coalescing.class 'magic' is no rule that is known");
}

} // namespace perfmodel::transactions_test
