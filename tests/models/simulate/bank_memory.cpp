#include "models/simulate/bank_memory.hpp"

#include <gtest/gtest.h>

#include <random>

namespace perfmodel::bank_memory_test {

// Of patterns that come back, from other places and with other lanes: what is remembered is what would be
// counted.
TEST(RememberedBankSteps, says_what_counting_says) {
  std::mt19937_64 random(1);
  for (const Banks& banks :
       {Banks{}, Banks{.width = 8, .interleave = 4},
        Banks{.count = 16, .request_threads = 16, .broadcasts_every_word = false, .splits_words = true}}) {
    RememberedBankSteps remembered(banks);
    for (int i = 0; i < 20'000; ++i) {
      MemoryAccess access;
      access.bytes = static_cast<std::uint8_t>(4U << random() % 3);
      access.mask = random() % 4 == 0 ? static_cast<std::uint32_t>(random()) | 1U : ~std::uint32_t{0};
      const auto first = static_cast<std::int64_t>(random() % 64) * 16 + (std::int64_t{1} << 40);
      const auto stride = static_cast<std::int64_t>(random() % 8) * access.bytes;
      const bool far = random() % 50 == 0; // lanes that lie further apart than 2 GiB
      for (std::size_t lane = 0; lane < 32; ++lane)
        access.address[lane] =
            first + static_cast<std::int64_t>(lane) * (far ? std::int64_t{1} << 32 : stride);
      const SharedAccess kind = random() % 2 == 0 ? SharedAccess::load : SharedAccess::store;
      ASSERT_EQ(remembered.of(access, kind),
                bank_steps(banks, access.address, access.mask, access.bytes, kind));
    }
  }
}

TEST(RememberedBankSteps, are_shared_by_launches_on_the_same_banks_alone) {
  const Banks wide{.width = 8};
  const auto first = remembered_bank_steps(Banks{});
  EXPECT_EQ(remembered_bank_steps(Banks{}), first);
  EXPECT_NE(remembered_bank_steps(wide), first);
  EXPECT_TRUE(remembered_bank_steps(wide)->are_of(wide));
}

} // namespace perfmodel::bank_memory_test
