#include "models/simulate/thought_away.hpp"

#include "models/kernel/known_kernels.hpp"
#include "models/simulate/kernel_time.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

namespace perfmodel::thought_away_test {

// A version of the transpose of 4096 x 4096 words, on an H200.
KernelTime transposed(std::string_view version) {
  static const Gpu gpu = measured_gpu("h200");
  const KernelCode& code = known_kernel("transpose", version, gpu.capability());
  KernelLaunch launch{.grid = {128, 128, 1}, .block = {32, 8, 1}, .arguments = {}};
  launch.arguments = KernelArguments::from_text("in=64MiB,out=64MiB,n=4096,pitch=4096");
  Plain plain;
  return kernel_time(
      gpu,
      {.code = code, .launch = launch, .caches = Caches::warm, .data = {}, .last_block = {}, .what_if = true},
      plain);
}

double with(const KernelTime& time, WhatIf what) {
  for (const KernelTime::Instead& one : time.instead)
    if (one.what == what) return one.time.value;
  return absent;
}

// A transpose by rows and columns, and a copy by columns, are a copy by rows once their accesses lie side by
// side, whether L1 keeps the lines until the other warps of a block come, or not. That ran at 3.93 TB/s, 7.4
// and 7.7 times as fast as they (H200, 25 November 2026, probe transpose).
TEST(ThoughtAway, what_is_strided_becomes_a_copy_side_by_side) {
  const double copy = transposed("directILb0ELb0").time.value;
  for (const char* strided : {"directILb0ELb1", "directILb1ELb1"}) {
    const KernelTime time = transposed(strided);
    EXPECT_NEAR(with(time, WhatIf::coalesced) / copy, 1, 0.03) << strided;
    EXPECT_GT(time.time.value / copy, 7) << strided;
  }
}

// A tile whose rows are a word longer meets no bank twice: 1.75 times as fast on an H100 (26 November 2026,
// probe transpose).
TEST(ThoughtAway, a_tile_without_bank_conflicts_becomes_the_padded_one) {
  const double padded = transposed("through_sharedILj32ELb1ELj1ELb0").time.value;
  const KernelTime tiled = transposed("through_sharedILj32ELb1ELj0ELb0");
  EXPECT_NEAR(with(tiled, WhatIf::no_conflicts) / padded, 1, 0.05);
  EXPECT_GT(tiled.time.value / padded, 1.75);
}

TEST(ThoughtAway, what_lies_side_by_side_gains_nothing) {
  const KernelTime copy = transposed("directILb0ELb0");
  EXPECT_NEAR(with(copy, WhatIf::coalesced) / copy.time.value, 1, 0.02);
  EXPECT_NEAR(with(copy, WhatIf::no_conflicts) / copy.time.value, 1, 0.02);
}

// A block that asks one array for so many sectors, and side by side for so many.
BlockTrace asking(double sectors, double least) {
  BlockTrace block{.footprint = BlockFootprint(2), .counts = {}, .run = {}};
  block.read_sectors = {sectors, 0};
  block.least_read_sectors = {least, 0};
  block.sectors_again = {0, 0};
  return block;
}

// Eight times as many sectors as side by side, of which L2 has seven eighths from the times before: side by
// side it has none of them, and as many bytes come from device memory.
TEST(ThoughtAway, as_much_comes_from_device_memory_side_by_side) {
  const BlockTrace strided = asking(128, 16);
  const MemoryShares shares{.missing = {0.125, 0.5},
                            .fetched = {0.125, 0.5},
                            .far = {},
                            .load_bytes = {2, 1},
                            .store_bytes = {3, 1}};
  const MemoryShares changed = changed_shares(shares, strided, WhatIf::coalesced);
  EXPECT_EQ(changed.missing, (std::vector<double>{1, 0.5}));
  EXPECT_EQ(changed.load_bytes[0], 1);
  EXPECT_EQ(changed_shares(shares, strided, WhatIf::no_conflicts).missing, shares.missing);
  EXPECT_EQ(changed_shares(shares, strided, WhatIf::all_in_l2).missing, (std::vector<double>{0, 0}));
}

// A table that L1 holds: side by side it is not asked for more than now.
TEST(ThoughtAway, what_l1_has_is_not_asked_for_again) {
  const BlockTrace table = asking(50, 100);
  TracedStep step{};
  step.space = Space::global;
  step.loads = true;
  step.allocation = 0;
  step.sectors = 3;
  step.least_sectors = 4;
  EXPECT_EQ(changed_steps({step}, table, WhatIf::coalesced)[0].sectors, 2);
  EXPECT_EQ(changed_steps({step}, table, WhatIf::no_conflicts)[0].sectors, 3);
}

} // namespace perfmodel::thought_away_test
