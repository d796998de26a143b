#include "models/parallel/staged_copy.hpp"

#include <gtest/gtest.h>

namespace perfmodel::staged_copy_test {

const StagedCopy example{Seconds(6e-6), Bytes(196608), BytesPerSecond(7e9), BytesPerSecond(15e9)};

// Sizes as the probe has them: each half as long again as a power of 2.
template <class Copies> std::vector<Timed> timed(const Copies& copies, double most) {
  std::vector<Timed> points;
  for (double n = 6; n <= most; n *= 2) points.push_back({.bytes = Bytes(n), .time = copies.time(Bytes(n))});
  return points;
}

// By hand: 6 us + 65536 / 7 GB/s = 15.362 us; 6 us + 196608 / 7 GB/s + (1048576 - 196608) / 15 GB/s = 90.885
// us.
TEST(StagedCopy, the_first_piece_takes_its_own_rate_and_the_rest_another) {
  EXPECT_NEAR(example.time(Bytes(65536)).value, 15.362e-6, 1e-9);
  EXPECT_NEAR(example.time(Bytes(1048576)).value, 90.885e-6, 1e-9);
}

TEST(StagedCopy, the_fit_finds_what_times_were_made_of) {
  const StagedCopy fit = staged_fit(timed(example, 1e8));
  EXPECT_NEAR(fit.alpha.value / 6e-6, 1, 1e-6);
  EXPECT_EQ(fit.piece, Bytes(196608));
  EXPECT_NEAR(fit.first.value / 7e9, 1, 1e-6);
  EXPECT_NEAR(fit.rest.value / 15e9, 1, 1e-6);
}

TEST(StagedCopy, a_line_has_one_rate) {
  StagedCopy line = example;
  line.first = line.rest;
  const StagedCopy fit = staged_fit(timed(line, 1e8));
  EXPECT_NEAR(fit.alpha.value / 6e-6, 1, 1e-6);
  for (const double n : {10.0, 1e5, 1e7}) EXPECT_NEAR(fit.time(Bytes(n)) / line.time(Bytes(n)), 1, 1e-6) << n;
}

// Sizes on both sides of 64 MiB are 48 and 96 MiB.
TEST(StagedCopy, where_the_caches_end_the_rate_falls) {
  const StagedCopies made{example, Bytes(64 << 20), BytesPerSecond(8e9)};
  const StagedCopies fit = staged_copies(timed(made, 1e9));
  ASSERT_TRUE(fit.cache && fit.memory);
  EXPECT_GT(*fit.cache, Bytes(48 << 20));
  EXPECT_LT(*fit.cache, Bytes(96 << 20));
  EXPECT_NEAR(fit.memory->value / 8e9, 1, 1e-6);
  EXPECT_NEAR(fit.cached.rest.value / 15e9, 1, 1e-6);
}

TEST(StagedCopy, where_the_rate_falls_nowhere_no_cache_is_claimed) {
  EXPECT_FALSE(staged_copies(timed(example, 1e9)).cache);
}

// The other way round the bytes may come faster from memory: the caches end there all the same.
TEST(StagedCopy, where_caches_end_can_be_given) {
  const StagedCopies made{example, Bytes(64 << 20), BytesPerSecond(16e9)};
  const StagedCopies fit = staged_copies(timed(made, 1e9), Bytes(64 << 20));
  ASSERT_TRUE(fit.memory);
  EXPECT_NEAR(fit.memory->value / 16e9, 1, 1e-6);
}

} // namespace perfmodel::staged_copy_test
