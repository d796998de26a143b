#include "tests/models/ladders/transpose_on.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace perfmodel::transpose_memory_test {

using namespace transpose_on;

// Lines that blocks write word by word at the same time meet in L2's sets; those that leave early are read
// and written once more. What is written whole is not touched by it, and a smaller matrix has L2 to itself
// longer.
TEST(TransposeMemory, words_that_leave_l2_early_move_twice) {
  const auto beside = [](const Gpu& gpu, const char* version, const char* n) {
    return value(gpu, version, n, "dram_bytes") / (8 * std::pow(std::stod(n), 2)) - 1;
  };
  const auto sets = [](const char* count) {
    return with_facts(h200(), {{"l2.partial_sets", count}, {"l2.partial_ways", "3"}, {"l1.queue", "62"}});
  };
  EXPECT_NEAR(beside(h200(), "naive", "16384"), 0, 1e-4) << "of a thousand million sets";
  EXPECT_GT(beside(sets("16000"), "naive", "16384"), 0.05);
  EXPECT_LT(beside(sets("16000"), "naive", "16384"), 0.4);
  EXPECT_GT(beside(sets("8000"), "naive", "16384"), 1.5 * beside(sets("16000"), "naive", "16384"));
  // L2 takes 63 MB before it sends any away, 47 % of 134 MB and 3 % of 2147 MB; in the shorter run blocks
  // write for longer, by up to a half.
  EXPECT_LT(beside(sets("16000"), "naive", "4096"),
            0.53 / 0.97 * 1.5 * beside(sets("16000"), "naive", "16384"));
  for (const char* version : {"copy", "tiled", "padded", "vectorised"})
    EXPECT_EQ(beside(sets("16000"), version, "16384"), 0) << version;
}

TEST(TransposeMemory, matrices_that_fit_l2_leave_device_memory_alone) {
  EXPECT_TRUE(std::isnan(value(h200(), "copy", "2048", "dram_bytes")));
  EXPECT_GT(value(h200(), "copy", "2048", "bandwidth"), 4.3e12);
}

Gpu turning(const char* turn) {
  return with_facts(h200(),
                    {{"dram.service", "63 cycle"}, {"sustained.dram.read", "4.6 TB/s"}, {"dram.turn", turn}});
}

// The longer a turn, the more writes share a pair of them: with many loads on their way copies take the same,
// as sustained.dram.copy says. With few a turn keeps them waiting, but a bank turns to writing only after as
// long an idle time, so that long turns are rare ones.
TEST(TransposeMemory, copies_wait_for_the_turns_of_device_memory) {
  const auto rate = [](const char* turn) { return value(turning(turn), "copy", "16384", "bandwidth"); };
  const double none = rate("1 cycle"), some = rate("170 cycle"), long_ones = rate("1000 cycle");
  EXPECT_NEAR(none / 4.3e12, 0.97, 0.03);
  EXPECT_NEAR(some / none, 1, 0.03) << "so many share a pair of turns";
  EXPECT_LT(long_ones, 0.98 * none);
}

TEST(TransposeMemory, matrices_in_l2_do_not_wait_for_turns) {
  EXPECT_EQ(value(turning("1 cycle"), "copy", "2048", "time"),
            value(turning("1000 cycle"), "copy", "2048", "time"));
}

// Banks that turn are no faster than a stream of reads, whatever is said of copies.
TEST(TransposeMemory, tiles_are_moved_no_faster_than_reads) {
  const Gpu gpu = with_facts(turning("170 cycle"), {{"sustained.dram.copy", "2 TB/s"}});
  for (const char* version : {"copy", "padded", "vectorised"})
    EXPECT_LT(value(gpu, version, "16384", "bandwidth"), 4.6e12) << version;
}

} // namespace perfmodel::transpose_memory_test
