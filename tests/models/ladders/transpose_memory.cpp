#include "tests/models/ladders/transpose_on.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace perfmodel {
namespace {

// Lines that blocks write word by word at the same time meet in L2's sets; those that leave early are read
// and written once more. What is written whole is not touched by it, and a smaller matrix has L2 to itself
// longer.
TEST(TransposeMemory, words_that_leave_l2_early_move_twice) {
  const auto beside = [](const Gpu& gpu, const char* version, const char* n) {
    return value(gpu, version, n, "dram_bytes") / (8 * std::pow(std::stod(n), 2)) - 1;
  };
  const auto sets = [](const char* count) {
    return with_facts(h200(), {{"l2.partial_sets", count}, {"l2.partial_ways", "3"}});
  };
  EXPECT_EQ(beside(h200(), "naive", "16384"), 0);
  EXPECT_GT(beside(sets("16000"), "naive", "16384"), 0.05);
  EXPECT_LT(beside(sets("16000"), "naive", "16384"), 0.4);
  EXPECT_GT(beside(sets("8000"), "naive", "16384"), 1.5 * beside(sets("16000"), "naive", "16384"));
  EXPECT_LT(beside(sets("16000"), "naive", "4096"), 0.6 * beside(sets("16000"), "naive", "16384"));
  for (const char* version : {"copy", "tiled", "padded", "vectorised"})
    EXPECT_EQ(beside(sets("16000"), version, "16384"), 0) << version;
}

TEST(TransposeMemory, matrices_that_fit_l2_leave_device_memory_alone) {
  EXPECT_EQ(value(h200(), "copy", "2048", "dram_bytes"), 0);
  EXPECT_GT(value(h200(), "copy", "2048", "bandwidth"), 4.3e12);
}

} // namespace
} // namespace perfmodel
