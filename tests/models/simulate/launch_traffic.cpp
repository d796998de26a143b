#include "models/simulate/launch_traffic.hpp"

#include "models/kernel/listing.hpp"
#include "models/simulate/block_samples.hpp"
#include "models/simulate/launch_growth.hpp"
#include "models/simulate/memory_shares.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/kernel/one_warp.hpp"

#include <gtest/gtest.h>

namespace perfmodel::launch_traffic_test {

// A loop that stores, of a block of 8 warps: each comes back to it so often.
MemoryUse use_of(double times, double sectors, double read) {
  const KernelCode code = read_listing(
      listing_of("S2R R0, SR_TID.X\nSTG.E [R2.64], R0\nISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 BRA 0x10\nEXIT"),
      "");
  KernelTime launch;
  launch.executed = {8, static_cast<std::uint64_t>(8 * times), 8, 8, 8};
  launch.counts.store_requests = 1000;
  launch.counts.store_sectors = 1000 * sectors;
  launch.dram_read = Bytes(read);
  launch.dram_written = Bytes(1e6);
  return launch_traffic(code, launch, {}, {}, {.active_sms = 1, .warps = 8}).use;
}

TEST(LaunchTraffic, who_strides_over_an_array_writes_it_by_lines) {
  EXPECT_EQ(use_of(10, 4, 0), MemoryUse::write_lines);
  EXPECT_EQ(use_of(1, 4, 0), MemoryUse::read) << "each warp stores once";
  EXPECT_EQ(use_of(10, 16, 0), MemoryUse::read) << "16 bytes a lane are four lines of a warp";
  EXPECT_EQ(use_of(10, 4, 1e6), MemoryUse::copy);
}

TEST(LaunchTraffic, a_share_of_the_lines_is_stored_in_part) {
  const KernelCode code = read_listing(listing_of("STG.E [R2.64], R0\nEXIT"), "");
  KernelTime launch;
  launch.executed = {8, 8};
  const auto in_part = [&] {
    return launch_traffic(code, launch, {}, {}, {.active_sms = 1, .warps = 8}).stores_in_part;
  };
  EXPECT_EQ(in_part(), 0) << "nothing is stored";
  launch.counts.store_lines = 100;
  launch.counts.store_lines_in_part = 25;
  EXPECT_DOUBLE_EQ(in_part(), 0.25);
}

// Of lines that one SM reads every other lies in the far half of L2. Where the launch before has read them,
// the first of four waves finds its copies near; of lines that are read often few were far in the first
// place.
TEST(LaunchTraffic, what_the_first_blocks_read_before_is_near) {
  const Gpu gpu = measured_gpu("h200");
  const auto far = [&](std::int64_t blocks, double times, bool repeats) {
    LaunchGrowth growth;
    growth.loads = growth.stores = {{.one = 1000, .x = 1, .most = 1e9}};
    growth.stores[0].one = 0;
    growth.shape = {.x = static_cast<double>(blocks), .wave = 100};
    BlockSamples samples;
    samples.read_sectors = {static_cast<double>(blocks) * 1000 * times / 32};
    samples.stored_sectors = {0};
    DeviceTraffic traffic;
    traffic.read = traffic.rewritten = {0};
    traffic.repeats = repeats;
    return memory_shares(gpu, {blocks, 1, 1}, samples, growth, traffic).far[0];
  };
  EXPECT_DOUBLE_EQ(far(100, 1, false), 0.5);
  EXPECT_DOUBLE_EQ(far(100, 1, true), 0);
  EXPECT_DOUBLE_EQ(far(400, 1, true), 0.5 * 3 / 4);
  EXPECT_DOUBLE_EQ(far(400, 20, true), far(400, 20, false) * 3 / 4);
}

} // namespace perfmodel::launch_traffic_test
