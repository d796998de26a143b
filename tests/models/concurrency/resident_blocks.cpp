// The rule of occupancy: cases worked by hand, and the bugs that other calculators had. What always holds is
// in resident_blocks_properties.cpp, what is refused in refused_blocks.cpp; occupancy_oracle.cpp compares
// with NVIDIA's header, which no longer knows cc 1.x and 2.x.
#include "models/concurrency/resident_blocks.hpp"

#include "models/concurrency/sm_resources.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::resident_blocks_test {

constexpr double KiB = 1024;

// 0 blocks when it cannot launch.
Occupancy on(const std::string& cc, const Launch& launch) {
  return occupancy(sm_resources(database().architecture(cc)), launch);
}
double blocks(const std::string& cc, double threads, double registers, double shared = 0) {
  return on(cc, {.threads_per_block = threads,
                 .registers_per_thread = registers,
                 .shared_per_block = Bytes(shared)})
      .blocks;
}

TEST(ResidentBlocks, the_answer_names_blocks_occupancy_and_limiter) {
  const Occupancy o = occupancy(gpu_named("h200"), {.threads_per_block = 256, .registers_per_thread = 40});
  EXPECT_EQ(o.blocks, 6);
  EXPECT_EQ(o.warps, 48);
  EXPECT_EQ(o.threads, 1536);
  EXPECT_DOUBLE_EQ(o.occupancy, 0.75);
  EXPECT_EQ(o.limiter, Limiter::registers);
  EXPECT_EQ(o.binding(), "registers");
}

TEST(ResidentBlocks, all_limits_that_tie_are_named) {
  const Occupancy o = on("9.0", {.threads_per_block = 64, .registers_per_thread = 32});
  EXPECT_EQ(o.binding(), "warps, blocks, registers") << "64 / 2 warps, 32 slots, 65536 / 1024 / 2 warps";
  EXPECT_EQ(o.limiter, Limiter::warps);
}

// Worked by hand: 256 threads are 8 warps; warps of an SM by registers are 4 x floor(16384 / (32 r, up to
// 256)).
TEST(ResidentBlocks, h200_with_256_threads) {
  for (const auto& [registers, occupancy] :
       {std::pair{32.0, 1.0}, std::pair{33.0, 0.75}, std::pair{40.0, 0.75}, std::pair{41.0, 0.625},
        std::pair{64.0, 0.5}, std::pair{65.0, 0.375}, std::pair{128.0, 0.25}, std::pair{129.0, 0.125},
        std::pair{255.0, 0.125}})
    EXPECT_DOUBLE_EQ(on("9.0", {.threads_per_block = 256, .registers_per_thread = registers}).occupancy,
                     occupancy)
        << registers;
}

// J. Verschelde, Warps and Reduction Algorithms, prints 12 and 4. By hand: min(8, 48 warps / 2), 1536 / 256.
TEST(ResidentBlocks, c2050_holds_8_blocks_of_8x8_6_of_16x16_and_1_of_32x32) {
  const Occupancy small = on("2.0", {.threads_per_block = 64}),
                  medium = on("2.0", {.threads_per_block = 256}),
                  large = on("2.0", {.threads_per_block = 1024});
  EXPECT_EQ(small.blocks, 8);
  EXPECT_EQ(small.limiter, Limiter::blocks);
  EXPECT_DOUBLE_EQ(small.occupancy, 1 / 3.0);
  EXPECT_EQ(medium.blocks, 6);
  EXPECT_EQ(medium.occupancy, 1);
  EXPECT_EQ(large.blocks, 1);
  EXPECT_DOUBLE_EQ(large.occupancy, 2 / 3.0);
}

TEST(ResidentBlocks, a_16x16_block_fills_g80_three_times_and_gt200_four_times) {
  EXPECT_EQ(on("1.0", {.threads_per_block = 256}).blocks, 3);
  EXPECT_EQ(on("1.3", {.threads_per_block = 256}).blocks, 4);
  EXPECT_EQ(on("1.0", {.threads_per_block = 256}).occupancy, 1);
  EXPECT_EQ(on("1.3", {.threads_per_block = 256}).occupancy, 1);
}

// 32 x 20 = 640 = 10 x 64, 24 warps in each half: 16384 / 640 = 25; at 21 the unit is 128: 768, 21 warps.
TEST(ResidentBlocks, gf100_affords_20_registers_at_full_occupancy_and_63_at_a_third) {
  EXPECT_EQ(on("2.0", {.threads_per_block = 256, .registers_per_thread = 20}).occupancy, 1);
  EXPECT_LT(on("2.0", {.threads_per_block = 256, .registers_per_thread = 21}).occupancy, 1);
  EXPECT_DOUBLE_EQ(on("2.0", {.threads_per_block = 256, .registers_per_thread = 63}).occupancy, 1 / 3.0);
  EXPECT_EQ(blocks("2.0", 256, 64), 0);
}

// 45 x 32 = 1440, in units of 128 1536: 10 warps in each half, 20 / 7 = 2 blocks. In units of 64 (1472, 11
// warps, 22 / 7) it would be 3.
TEST(ResidentBlocks, cc_2_x_hands_out_registers_in_units_of_128_at_some_counts) {
  EXPECT_EQ(blocks("2.0", 224, 45), 2);
  Gpu narrow = database().architecture("2.0");
  narrow.facts.erase("register_allocation_unit.wide_at");
  EXPECT_EQ(occupancy(sm_resources(narrow), {.threads_per_block = 224, .registers_per_thread = 45}).blocks,
            3);
}

// The textbook's example: 10 registers let 3 blocks in, 11 only 2 (8 warps x 32 x 11 = 2816; 8192 / 2816).
TEST(ResidentBlocks, g80_loses_a_block_at_the_eleventh_register) {
  EXPECT_EQ(blocks("1.0", 256, 10), 3);
  EXPECT_EQ(blocks("1.0", 256, 11), 2);
}

// 6 warps x 32 x 17 = 3264, in units of 512 3584: 16384 / 3584 = 4, not 16384 / 3264 = 5. On 1.0 the unit is
// 256: 6 x 32 x 13 = 2496 -> 2560, 8192 / 2560 = 3.
TEST(ResidentBlocks, cc_1_x_hands_out_registers_to_blocks_in_whole_units) {
  EXPECT_EQ(blocks("1.3", 192, 17), 4);
  EXPECT_EQ(blocks("1.0", 192, 13), 3);
}

// CUDA 7.0's header: 3 warps take the room of 4. 24 / 4 = 6, not 8; 96 x 6 threads are 18 of 24 warps.
TEST(ResidentBlocks, cc_1_x_rounds_the_warps_of_a_block_up_to_two) {
  const Occupancy o = on("1.0", {.threads_per_block = 96});
  EXPECT_EQ(o.blocks, 6);
  EXPECT_DOUBLE_EQ(o.occupancy, 0.75);
}

// A 32 x 32 tile of floats: 4096 + 16 -> 4608; 16384 / 4608 = 3, where 4096 alone would give 4.
TEST(ResidentBlocks, cc_1_x_keeps_built_in_variables_in_shared_memory) {
  EXPECT_EQ(blocks("1.3", 256, 0, 4 * KiB), 3);
  EXPECT_EQ(blocks("1.3", 256, 0, 16 * KiB - 16), 1);
  EXPECT_EQ(blocks("1.3", 256, 0, 16 * KiB - 15), 0);
}

// cuda-calculator, pull request 1: registers of a block are limited, too.
TEST(ResidentBlocks, registers_of_a_block_are_limited_where_the_sm_has_more) {
  EXPECT_EQ(blocks("5.3", 512, 64), 2) << "16 warps x 2048 = 32768, all a block may have";
  EXPECT_EQ(blocks("5.3", 512, 65), 0) << "16 warps x 2304";
  EXPECT_EQ(blocks("3.7", 1024, 64), 2) << "131072 in the SM, 65536 for a block";
  EXPECT_EQ(blocks("3.7", 1024, 65), 0);
  EXPECT_EQ(blocks("3.7", 512, 65), 3) << "16 x 2304; 4 x floor(32768 / 2304) = 56 warps";
}

// Units, and whole warps in each sub-partition: 88 x 32 = 2816; floor(16384 / 2816) = 5 in each of four, 20
// warps. The whole file divided at once would give 23.
TEST(ResidentBlocks, registers_are_divided_within_each_sub_partition) {
  EXPECT_EQ(blocks("9.0", 32, 88), 20);
  EXPECT_EQ(std::floor(65536 / 2816.0), 23);
}

TEST(ResidentBlocks, a_33rd_register_costs_as_much_as_a_40th) {
  EXPECT_EQ(blocks("9.0", 256, 33), blocks("9.0", 256, 40));
  EXPECT_EQ(std::floor(65536 / (33 * 256.0)), 7) << "without units it would be 7";
  EXPECT_EQ(blocks("9.0", 256, 33), 6);
}

// kokkos 5739, Fuser 4465: from cc 8.0 on the system takes 1 KiB of each block.
TEST(ResidentBlocks, the_reserved_kibibyte_counts_from_cc_8_0_on) {
  EXPECT_EQ(blocks("9.0", 128, 0, 56 * KiB), 4) << "228 / 57";
  EXPECT_EQ(blocks("9.0", 128, 0, 57 * KiB), 3) << "228 / 58, where 228 / 57 would be 4";
  EXPECT_EQ(blocks("8.0", 128, 0, 81 * KiB), 2) << "164 / 82";
  EXPECT_EQ(blocks("8.0", 128, 0, 82 * KiB), 1);
  EXPECT_EQ(blocks("7.0", 128, 0, 48 * KiB), 2) << "96 / 48: nothing is reserved before";
}

// curobo 705: what is printed of L1 and shared memory together is no shared memory.
TEST(ResidentBlocks, a_block_has_the_real_carve_out_and_no_more) {
  for (const auto& [cc, most] : {std::pair{"7.0", 96.0}, std::pair{"7.5", 64.0}, std::pair{"8.0", 163.0},
                                 std::pair{"8.6", 99.0}, std::pair{"8.9", 99.0}, std::pair{"9.0", 227.0},
                                 std::pair{"10.0", 227.0}, std::pair{"12.0", 99.0}, std::pair{"6.0", 48.0}}) {
    EXPECT_EQ(blocks(cc, 128, 0, most * KiB), 1) << cc;
    EXPECT_EQ(blocks(cc, 128, 0, most * KiB + 1), 0) << cc;
  }
}

// A100: half of 164 KiB is no size there is; the next is 100. 10 KiB + 1 -> 11 KiB: 9 of 100, 14 of 164.
TEST(ResidentBlocks, a_preferred_carve_out_is_the_next_size_up) {
  const auto with = [](double kib, double shared) {
    return on(
        "8.0",
        {.threads_per_block = 64, .shared_per_block = Bytes(shared * KiB), .carveout = Bytes(kib * KiB)});
  };
  EXPECT_EQ(with(82, 10).shared_of_sm.value, 100 * KiB);
  EXPECT_EQ(with(82, 10).blocks, 9);
  EXPECT_EQ(with(100, 10).blocks, 9);
  EXPECT_EQ(with(100.001, 10).blocks, 12) << "132 / 11";
  EXPECT_EQ(with(16, 60).blocks, 1) << "the block needs 61: the SM runs with 64";
  EXPECT_EQ(with(16, 60).shared_of_sm.value, 64 * KiB);
}

// cuda_occupancy.h: Kepler goes to the most when the preferred size is too small, not to the next.
TEST(ResidentBlocks, kepler_takes_the_largest_carve_out_when_the_preferred_is_too_small) {
  const Occupancy o =
      on("3.5", {.threads_per_block = 64, .shared_per_block = Bytes(20 * KiB), .carveout = Bytes(16 * KiB)});
  EXPECT_EQ(o.shared_of_sm.value, 48 * KiB);
  EXPECT_EQ(o.blocks, 2);
}

TEST(ResidentBlocks, barriers_limit_blocks_from_cc_9_0_on) {
  const auto with = [](const char* cc, double barriers) {
    return on(cc, {.threads_per_block = 32, .barriers_per_block = barriers}).blocks;
  };
  EXPECT_EQ(with("9.0", 2), 32);
  EXPECT_EQ(with("9.0", 3), 21) << "64 / 3";
  EXPECT_EQ(with("9.0", 16), 4);
  EXPECT_EQ(with("12.0", 1), 24);
  EXPECT_EQ(with("12.0", 2), 12) << "once the resident blocks, not twice";
  EXPECT_EQ(with("8.6", 16), 16) << "the header counts them and does not apply the limit";
}

TEST(ResidentBlocks, virtual_resources_limit_blocks_on_cc_10_to_12) {
  const auto with = [](const char* cc, double used) {
    return on(cc, {.threads_per_block = 32, .virtual_resources_per_block = used}).blocks;
  };
  EXPECT_EQ(with("10.0", 4), 32);
  EXPECT_EQ(with("10.0", 5), 25) << "128 / 5";
  EXPECT_EQ(with("9.0", 5), 32);
}

// 640 threads are 20 warps: one in each half of 32, 64 / 20 = 3 in the whole SM.
TEST(ResidentBlocks, partitioned_caching_keeps_a_block_in_half_an_sm) {
  const auto with = [](const char* cc, double threads, double registers, PartitionedCaching caching) {
    return on(cc, {.threads_per_block = threads, .registers_per_thread = registers, .caching = caching})
        .blocks;
  };
  EXPECT_EQ(with("5.2", 640, 0, PartitionedCaching::off), 3);
  EXPECT_EQ(with("5.2", 640, 0, PartitionedCaching::on), 2);
  EXPECT_EQ(with("5.0", 640, 0, PartitionedCaching::on), 3) << "no halves";
  EXPECT_EQ(with("5.2", 1024, 40, PartitionedCaching::on), 1) << "24 warps of each half: it gives way";
  EXPECT_EQ(with("5.2", 1024, 40, PartitionedCaching::strict), 0);
}

// 10 warps x 6400 registers: 64 000 in two sub-partitions, checked as 12 x 6400 = 76 800 in four.
TEST(ResidentBlocks, gp100_refuses_what_the_other_pascals_cannot_run) {
  EXPECT_EQ(blocks("6.0", 320, 200), 0);
  Gpu alone = database().architecture("6.0");
  alone.facts.erase("launch_check_sub_partitions");
  EXPECT_EQ(occupancy(sm_resources(alone), {.threads_per_block = 320, .registers_per_thread = 200}).blocks,
            1);
}

TEST(ResidentBlocks, zero_registers_barriers_or_shared_memory_limit_nothing) {
  const Occupancy o = on("7.0", {.threads_per_block = 128, .barriers_per_block = 0});
  for (const Limiter limit :
       {Limiter::registers, Limiter::shared, Limiter::barriers, Limiter::virtual_resources})
    EXPECT_TRUE(std::isinf(o.allows(limit)));
  EXPECT_EQ(o.blocks, 16);
}

} // namespace perfmodel::resident_blocks_test
