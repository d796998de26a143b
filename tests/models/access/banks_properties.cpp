// The counting of bank conflicts against what follows from its definition, for accesses by chance.
#include "models/access/banks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace perfmodel::banks_properties_test {

using Lanes = std::array<std::int64_t, warp_lanes>;

Banks kepler(std::int64_t mode) {
  Banks banks;
  banks.width = 8, banks.interleave = mode;
  return banks;
}
Banks tesla() {
  Banks banks;
  banks.count = banks.request_threads = 16;
  banks.broadcasts_every_word = false, banks.splits_words = true;
  return banks;
}

std::int64_t degree(const Banks& banks, const Lanes& address, std::uint32_t mask = ~0u,
                    std::int64_t word = 4) {
  return bank_steps(banks, address, mask, word, SharedAccess::load).degree;
}
Lanes random_words(std::mt19937& random, std::int64_t words, std::int64_t word = 4) {
  Lanes address;
  for (std::int64_t& a : address)
    a = word * std::uniform_int_distribution<std::int64_t>(0, words - 1)(random);
  return address;
}

TEST(BanksProperties, the_degree_of_a_stride_is_its_greatest_common_divisor_with_the_banks) {
  for (std::int64_t stride = 1; stride <= 130; ++stride) {
    Lanes address;
    for (std::size_t l = 0; l < warp_lanes; ++l) address[l] = 4 * stride * static_cast<std::int64_t>(l);
    EXPECT_EQ(degree(Banks{}, address), std::gcd(stride, 32)) << stride;
    EXPECT_EQ(degree(tesla(), address), std::gcd(stride, 16)) << stride;
    // Some lanes share one of Kepler's wide rows; all that meet do so where the stride is a power of two.
    const std::int64_t wide = degree(kepler(4), address);
    EXPECT_LE(wide, std::gcd(stride, 32)) << stride;
    EXPECT_GE(wide, std::max<std::int64_t>(std::gcd(stride, 32) / 2, 1)) << stride;
    if (stride <= 32 && std::has_single_bit(static_cast<std::uint64_t>(stride))) {
      EXPECT_EQ(wide, std::max<std::int64_t>(stride / 2, 1)) << stride;
    }
  }
}

TEST(BanksProperties, moving_all_words_by_the_same_number_of_rows_changes_nothing) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const Lanes address = random_words(random, 200);
    for (const std::int64_t by : {1, 2, 5, -3, 1000}) {
      Lanes moved = address;
      for (std::int64_t& a : moved) a += 128 * by;
      EXPECT_EQ(degree(Banks{}, moved), degree(Banks{}, address));
      EXPECT_EQ(degree(tesla(), moved), degree(tesla(), address));
      for (std::int64_t& a : moved) a += 128 * by; // Kepler's rows are 256 B
      EXPECT_EQ(degree(kepler(4), moved), degree(kepler(4), address));
    }
    Lanes shifted = address; // one-word banks: any number of words
    for (std::int64_t& a : shifted) a += 4 * 7;
    EXPECT_EQ(degree(Banks{}, shifted), degree(Banks{}, address));
  }
}

// By definition: a set of words for every bank.
TEST(BanksProperties, the_degree_is_the_largest_number_of_different_words_on_a_bank) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    const Lanes address = random_words(random, 1 + trial % 300);
    const auto mask = static_cast<std::uint32_t>(random());
    std::map<std::int64_t, std::set<std::int64_t>> words, kepler_rows;
    for (std::size_t l = 0; l < warp_lanes; ++l)
      if ((mask >> l & 1u) != 0) {
        words[address[l] / 4 % 32].insert(address[l] / 4);
        kepler_rows[address[l] / 8 % 32].insert(address[l] / 8);
      }
    std::size_t most = 0, most_rows = 0;
    for (const auto& [bank, set] : words) most = std::max(most, set.size());
    for (const auto& [bank, set] : kepler_rows) most_rows = std::max(most_rows, set.size());
    EXPECT_EQ(degree(Banks{}, address, mask), static_cast<std::int64_t>(most));
    EXPECT_EQ(degree(kepler(8), address, mask), static_cast<std::int64_t>(most_rows));
  }
}

TEST(BanksProperties, fewer_lanes_never_cost_more_nor_do_wider_banks) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const Lanes address = random_words(random, 1 + trial % 200);
    const auto mask = static_cast<std::uint32_t>(random());
    const std::uint32_t fewer = mask & static_cast<std::uint32_t>(random());
    EXPECT_LE(degree(Banks{}, address, fewer), degree(Banks{}, address, mask));
    EXPECT_LE(degree(tesla(), address, fewer), degree(tesla(), address, mask));
    EXPECT_LE(degree(kepler(4), address, mask), degree(Banks{}, address, mask))
        << "programming guide 4.2: as many or fewer than on 2.x";
  }
}

TEST(BanksProperties, the_order_of_lanes_matters_only_between_requests) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 500; ++trial) {
    Lanes address = random_words(random, 150);
    const std::int64_t before = degree(Banks{}, address), before_tesla = degree(tesla(), address);
    std::shuffle(address.begin(), address.begin() + 16, random);
    std::shuffle(address.begin() + 16, address.end(), random);
    EXPECT_EQ(degree(tesla(), address), before_tesla);
    std::shuffle(address.begin(), address.end(), random);
    EXPECT_EQ(degree(Banks{}, address), before);
  }
}

TEST(BanksProperties, wavefronts_lie_between_the_least_and_the_degree_times_the_requests) {
  std::mt19937 random(5);
  for (const std::int64_t word : {1, 2, 4, 8, 16})
    for (int trial = 0; trial < 300; ++trial)
      for (Banks banks : {Banks{}, kepler(4), kepler(8), tesla()}) {
        if (trial % 2 == 0) banks.lane_pairs = {1, 2};
        const auto mask = static_cast<std::uint32_t>(random());
        const BankSteps s = bank_steps(banks, random_words(random, 1 + trial, word), mask, word,
                                       trial % 3 == 0 ? SharedAccess::store : SharedAccess::load);
        EXPECT_LE(s.least, s.wavefronts);
        EXPECT_LE(s.wavefronts, s.degree * s.least);
        EXPECT_GE(s.wavefronts, s.degree);
      }
}

// The guide's procedure of cc 1.x with every choice that it leaves open.
std::int64_t fewest_steps(std::vector<std::int64_t> words) {
  if (words.empty()) return 0;
  std::int64_t best = 99;
  for (const std::int64_t broadcast : std::set<std::int64_t>(words.begin(), words.end())) {
    std::map<std::int64_t, std::vector<std::int64_t>> banks;
    for (const std::int64_t w : words)
      if (w % 16 != broadcast % 16) banks[w % 16].push_back(w);
    std::vector<std::vector<std::int64_t>> served{{}}; // every way to take one thread of each other bank
    for (const auto& [bank, candidates] : banks) {
      std::vector<std::vector<std::int64_t>> longer;
      for (const auto& some : served)
        for (const std::int64_t w : std::set<std::int64_t>(candidates.begin(), candidates.end())) {
          longer.push_back(some);
          longer.back().push_back(w);
        }
      served = std::move(longer);
    }
    for (const auto& some : served) {
      std::vector<std::int64_t> left = words;
      left.erase(std::remove(left.begin(), left.end(), broadcast), left.end());
      for (const std::int64_t w : some) left.erase(std::find(left.begin(), left.end(), w));
      best = std::min(best, 1 + fewest_steps(std::move(left)));
    }
  }
  return best;
}

TEST(BanksProperties, one_broadcast_a_step_takes_the_fewest_steps_that_the_guides_procedure_allows) {
  std::mt19937 random(6);
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t threads = 1 + static_cast<std::size_t>(trial) % 7;
    Lanes address{};
    std::vector<std::int64_t> words;
    for (std::size_t l = 0; l < threads; ++l) { // few words on few banks, so that they meet
      const auto bank = std::uniform_int_distribution<std::int64_t>(0, 2)(random);
      words.push_back(bank + 16 * std::uniform_int_distribution<std::int64_t>(0, 1)(random));
      address[l] = 4 * words.back();
    }
    EXPECT_EQ(degree(tesla(), address, (1u << threads) - 1), fewest_steps(words));
  }
}

} // namespace perfmodel::banks_properties_test
