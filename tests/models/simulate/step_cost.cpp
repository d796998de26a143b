#include "models/simulate/step_cost.hpp"

#include "tests/models/kernel/one_warp.hpp"

#include <gtest/gtest.h>

namespace perfmodel::step_cost_test {

// Steps of one warp of `code` on a machine whose costs are small numbers.
TracedBlocks costs_of_code(std::string_view code) {
  const KernelCode read = read_listing(listing_of(code), "");
  KernelLaunch launch{.grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = {}};
  launch.arguments = KernelArguments::from_text("in=1MiB,out=1MiB");
  AccessRules rules;
  rules.load = rules.store = {.l1 = true};
  rules.store.l1 = false;
  rules.l1_bytes = 65536;
  BlockTracer tracer(read, launch, rules, {});
  const BlockTrace trace = tracer.trace(0);
  KernelCosts costs;
  costs.constants = 3;
  costs.constant_per_word = 2;
  costs.sm.constant_latency = 28;
  return costed(costs, read, tracer.steps(), {&trace}, {.missing = std::vector<double>(3)}, false);
}

// LDC asks the constant cache that all schedulers of an SM share; what ULDC reads for all lanes comes, as
// operands do, from the immediate constant cache (IMC, by the name of the profiler's stall). On an H200 a
// kernel with nine words of the first and eight of the second kind runs at 20 cycles a warp, where 17 words
// would take 34.
TEST(StepCost, a_constant_for_all_lanes_takes_no_turn_of_the_constant_cache) {
  const TracedBlocks made = costs_of_code("LDC.64 R2, c[0x0][0x210]\nULDC.64 UR4, c[0x0][0x208]\nEXIT");
  const WarpStep &by_lanes = made.steps[0], &for_all = made.steps[2]; // each step stands there twice
  ASSERT_EQ(by_lanes.used, 1);
  EXPECT_EQ(by_lanes.uses[0].unit, 3u);
  EXPECT_EQ(by_lanes.uses[0].cycles, 4); // two words
  EXPECT_EQ(for_all.used, 0);
  EXPECT_EQ(for_all.latency, 28);
}

} // namespace perfmodel::step_cost_test
