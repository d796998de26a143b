#include "models/simulate/slowest_sm.hpp"

#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

namespace perfmodel::slowest_sm_test {

Gpu h200_with(const std::string& first_load) {
  return with_facts(gpu_named("h200"), {{"kernel.first_load", first_load}});
}
double cycles_with(const std::string& first_load) {
  const Gpu gpu = h200_with(first_load);
  Plain trace;
  return slowest_sm(gpu, sm_model(gpu, {}, MemoryUse::read, {}, trace), trace).value;
}
double time_of(const Gpu& gpu, const char* n) {
  return number(ask("reduction", gpu, {{"version", "shuffle"}, {"n", n}}), "versions", "time");
}

// 1980 cycles more of a microsecond more.
TEST(SlowestSm, is_what_the_first_load_takes_beyond_the_simulation) {
  EXPECT_NEAR(cycles_with("3 us") - cycles_with("2 us"), 1980, 1e-6);
  EXPECT_GT(cycles_with("1 us"), 1980 - 900) << "a load from L2 takes 280 to 450 cycles";
  EXPECT_LT(cycles_with("1 us"), 1980 - 300);
  EXPECT_EQ(cycles_with("10 ns"), 0) << "the simulation takes longer";
}

TEST(SlowestSm, is_nothing_where_no_l2_has_the_word) {
  const Gpu gpu = gpu_named("gtx280");
  Plain trace;
  EXPECT_EQ(slowest_sm(gpu, sm_model(gpu, {}, MemoryUse::read, {}, trace), trace), Cycles{0});
}

// 2^22 numbers: blocks on every SM, then one block for their sums; 2^12: 8 blocks, then one.
TEST(SlowestSm, counts_once_for_each_kernel_of_which_most_sms_have_blocks) {
  EXPECT_NEAR(time_of(h200_with("3 us"), "4194304") - time_of(h200_with("2 us"), "4194304"), 1e-6, 1e-12);
  EXPECT_DOUBLE_EQ(time_of(h200_with("3 us"), "4096"), time_of(h200_with("2 us"), "4096"));
}

} // namespace perfmodel::slowest_sm_test
