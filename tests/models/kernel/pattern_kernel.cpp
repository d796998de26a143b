#include "models/kernel/pattern_kernel.hpp"

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/simulate/kernel_time.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace perfmodel::pattern_kernel_test {

const KernelCode& copy(Count threads, int words, int word) {
  return code_of({.threads = static_cast<int>(threads), .words = words, .word = word});
}
std::vector<std::string> opcodes(const KernelCode& code) {
  std::vector<std::string> all;
  for (const Instruction& i : code.instructions) all.push_back(i.opcode);
  return all;
}

TEST(PatternKernel, all_loads_come_before_the_first_store) {
  EXPECT_EQ(opcodes(copy(64, 3, 8)),
            (std::vector<std::string>{"S2R", "S2R", "LDC", "LDC", "IMAD", "IMAD", "IMAD", "LDG", "LDG", "LDG",
                                      "STG", "STG", "STG", "EXIT"}));
  EXPECT_EQ(*copy(64, 3, 8).registers, 16u) << "3 words of two registers, and ten";
  EXPECT_EQ(&copy(64, 3, 8), &copy(64, 3, 8)) << "made once";
}

KernelTime time_of(const KernelCode& code, Count threads, double bytes, Count resident) {
  const Gpu gpu = gpu_named("h200");
  Plain plain;
  const KernelLaunch launch{.grid = {static_cast<std::int64_t>(20 * 132 * resident), 1, 1},
                            .block = {static_cast<std::int64_t>(threads), 1, 1},
                            .arguments = KernelArguments::from_text(
                                fmt::format("from={0}B,to={0}B", 20 * 132 * resident * threads * bytes))};
  return kernel_time(gpu,
                     {.code = code,
                      .launch = launch,
                      .caches = Caches::cold,
                      .data = {},
                      .last_block = {},
                      .owner = {},
                      .most_resident = resident},
                     plain);
}

// What nvcc makes of the same source does more arithmetic for addresses, up to half as many instructions
// again; no sector more, and the times are alike.
TEST(PatternKernel, takes_as_long_as_what_a_compiler_made_of_its_source) {
  const std::pair<int, const char*> kinds[] = {{4, "Ij"}, {8, "I5uint2"}, {16, "I5uint4"}};
  for (const auto& [word, name] : kinds)
    for (const int words : {1, 2, 4, 8}) {
      const KernelCode& compiled =
          known_kernel("memory-parallelism", fmt::format("copy_words{}Li{}E", name, words), 9.0);
      for (const Count threads : {64, 512}) {
        const KernelTime ours = time_of(copy(threads, words, word), threads, words * word, 2);
        const KernelTime theirs = time_of(compiled, threads, words * word, 2);
        const std::string what = fmt::format("{} words of {} B, {} threads", words, word, threads);
        EXPECT_NEAR(ours.time / theirs.time, 1, 0.1) << what;
        EXPECT_EQ(ours.counts.load_sectors, theirs.counts.load_sectors) << what;
        EXPECT_EQ(ours.counts.store_sectors, theirs.counts.store_sectors) << what;
        EXPECT_LE(ours.counts.instructions, theirs.counts.instructions) << what;
      }
    }
}

TEST(PatternKernel, an_sm_that_is_kept_to_fewer_blocks_holds_fewer) {
  const KernelCode& code = copy(64, 1, 4);
  EXPECT_EQ(time_of(code, 64, 4, 2).resident, 2);
  EXPECT_EQ(time_of(code, 64, 4, 1000).resident, 32) << "no more than fit";
  // As many blocks each, 20: two are no slower beside each other than alone.
  EXPECT_NEAR(time_of(code, 64, 4, 2).time / time_of(code, 64, 4, 1).time, 1, 0.1);
}

} // namespace perfmodel::pattern_kernel_test
