// Blocks that cannot launch, and numbers that are none: what the sentence says.
#include "models/concurrency/resident_blocks.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::refused_blocks_test {

constexpr double KiB = 1024;

TEST(RefusedBlocks, a_block_that_cannot_launch_says_why_and_what_the_limit_is) {
  const Gpu h200 = gpu_named("h200");
  const auto why = [&](const Launch& launch) { return error_of([&] { occupancy(h200, launch); }); };
  EXPECT_EQ(why({.threads_per_block = 1025}),
            "a block of 1025 threads cannot launch on h200: a block has at most 1024 threads");
  EXPECT_EQ(why({.registers_per_thread = 256}),
            "a kernel of 256 registers per thread cannot launch on h200: a thread has at most 255");
  EXPECT_EQ(why({.threads_per_block = 1024, .registers_per_thread = 65}),
            "a block of 1024 threads with 65 registers each cannot launch on h200: a block has at most 65536 "
            "registers, handed out in whole units to whole warps");
  EXPECT_EQ(why({.shared_per_block = Bytes(228 * KiB)}),
            "a block with 228 KiB of shared memory cannot launch on h200: a block has at most 227 KiB");
  EXPECT_EQ(why({.barriers_per_block = 16}), "no error");
  EXPECT_EQ(why({.barriers_per_block = 17}), "barriers of a block: 17 given, a block has at most 16");
  EXPECT_EQ(why({.carveout = Bytes(229 * KiB)}),
            "an SM of h200 cannot have a carve-out of 229 KiB: it has at most 228 KiB of shared memory");
  EXPECT_EQ(why({.threads_per_block = 1024, .registers_per_thread = 64}), "no error");
  EXPECT_EQ(
      error_of([] { occupancy(gpu_named("gtx280"), {.shared_per_block = Bytes(16 * KiB)}); }),
      "a block with 16 KiB of shared memory cannot launch on gtx280: a block has at most 16 KiB, 16 B of "
      "them the system's");
}

TEST(RefusedBlocks, a_number_that_is_no_count_is_refused) {
  const Gpu h200 = gpu_named("h200");
  const auto why = [&](const Launch& launch) { return error_of([&] { occupancy(h200, launch); }); };
  EXPECT_EQ(why({.threads_per_block = 0}), "threads of a block: 0 given, a whole number from 1 is expected");
  EXPECT_EQ(why({.threads_per_block = 32.5}),
            "threads of a block: 32.5 given, a whole number from 1 is expected");
  EXPECT_EQ(why({.registers_per_thread = -1}),
            "registers of a thread: -1 given, a whole number from 0 is expected");
  EXPECT_EQ(why({.shared_per_block = Bytes(absent)}),
            "bytes of shared memory: - given, a whole number from 0 is expected");
}

// --set may say that a block has more threads than an SM holds.
TEST(RefusedBlocks, a_block_has_no_more_threads_than_an_sm_holds) {
  const Gpu k40 = with_facts(gpu_named("k40"), {{"max_threads_per_block", "4096"}});
  EXPECT_EQ(refusal(k40, {.threads_per_block = 2048}), "");
  EXPECT_EQ(refusal(k40, {.threads_per_block = 2080}),
            "a block of 2080 threads cannot launch on k40: a block has at most 2048 threads");
}

} // namespace perfmodel::refused_blocks_test
