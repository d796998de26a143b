// Blocks that have much to do and stand side by side are a part of the launch of their own.
#include "models/simulate/launch_phases.hpp"

#include "models/simulate/kernel_time.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/kernel/one_warp.hpp"

#include <gtest/gtest.h>

#include <string>

namespace perfmodel::launch_phases_test {

BlockTrace of_length(double instructions) {
  BlockTrace block;
  block.counts.instructions = instructions;
  return block;
}

BlockKind side_by_side(const BlockTrace& trace, std::int64_t from, std::int64_t to) {
  return {.trace = &trace, .weight = static_cast<double>(to - from), .from = from, .to = to};
}

// A hundred SMs: 300 blocks that work, the last of their array, and 700 that leave at once.
TEST(LaunchPhases, blocks_that_work_come_before_those_that_leave) {
  const BlockTrace works = of_length(1000), less = of_length(900), leaves = of_length(10);
  const std::vector<BlockKind> kinds{side_by_side(leaves, 301, 1001), side_by_side(works, 0, 300),
                                     side_by_side(less, 300, 301)};
  const std::vector<LaunchPhase> phases = launch_phases({.x = 1001}, kinds, 100);
  ASSERT_EQ(phases.size(), 2u);
  EXPECT_EQ(phases[0].blocks, 301);
  EXPECT_EQ(phases[0].order.front(), 1u);
  EXPECT_EQ(phases[1].blocks, 700);
  EXPECT_EQ(phases[1].order, std::vector<std::size_t>(64, 0u));
}

TEST(LaunchPhases, there_is_one_where_kinds_are_few_alike_or_in_turns) {
  const BlockTrace works = of_length(1000), less = of_length(300), leaves = of_length(10);
  const auto count = [&](const std::vector<BlockKind>& kinds, const Shape& of = {.x = 1000}) {
    return launch_phases(of, kinds, 100).size();
  };
  EXPECT_EQ(count({side_by_side(works, 0, 500), side_by_side(leaves, 500, 1000)}), 2u);
  EXPECT_EQ(count({side_by_side(works, 0, 100), side_by_side(leaves, 100, 1000)}), 2u);
  EXPECT_EQ(count({side_by_side(works, 0, 99), side_by_side(leaves, 99, 1000)}), 1u) << "not one for each SM";
  EXPECT_EQ(count({side_by_side(works, 0, 500), side_by_side(less, 500, 1000)}), 1u) << "a third of the work";
  EXPECT_EQ(count({side_by_side(works, 0, 500), side_by_side(leaves, 500, 1000)}, {.x = 500, .y = 2}), 1u);
  BlockKind strewn = side_by_side(works, 0, 999);
  strewn.weight = 500;
  EXPECT_EQ(count({strewn, side_by_side(leaves, 500, 1000)}), 1u);
}

// The second part begins when the first one's last block is launched, not when it ends.
TEST(LaunchPhases, the_next_part_is_launched_behind_the_last_block) {
  SmRun first, then;
  first.cycles = 100, first.launched = 80, first.issued = 10, first.issue = 0.5;
  then.cycles = 40, then.launched = 35, then.issued = 5, then.issue = 0.25;
  const SmRun both = followed_by(first, then);
  EXPECT_EQ(both.cycles, 120);
  EXPECT_EQ(both.launched, 115);
  EXPECT_EQ(both.issued, 15);
  EXPECT_DOUBLE_EQ(both.issue, (50. + 10.) / 120);
  then.cycles = 10;
  EXPECT_EQ(followed_by(first, then).cycles, 100);
}

// A grid 16 times as large as its work, as where each thread takes several points and the grid was not made
// smaller: the blocks that find nothing to do take what launching them takes. Each warp is one chain of FMAs:
// it takes the blocks that work together to fill the pipes.
TEST(LaunchPhases, a_grid_larger_than_its_work_takes_as_long_as_one_that_fits) {
  static const Gpu gpu = measured_gpu("h200");
  std::string work;
  for (int n = 0; n < 64; ++n) work += "FFMA R8, R8, R9, R8\n";
  const KernelCode code = read_listing(
      listing_of("S2R R1, SR_CTAID.X\nISETP.GE.AND P1, PT, R1, 0x1388, PT\n@P1 EXIT\nMOV R6, RZ\n.L_1:\n" +
                 work + "IADD3 R6, R6, 0x1, RZ\nISETP.NE.AND P0, PT, R6, 0x200, PT\n@P0 BRA `(.L_1)\nEXIT"),
      "");
  const auto time = [&](std::int64_t blocks) {
    const KernelLaunch launch{.grid = {blocks, 1, 1}, .block = {128, 1, 1}, .arguments = {}};
    Plain plain;
    return kernel_time(gpu, {.code = code, .launch = launch, .data = {}, .last_block = {}}, plain).time.value;
  };
  const double fits = time(5000);
  for (const std::int64_t blocks : {15000, 40000, 80000}) {
    EXPECT_GE(time(blocks), fits) << blocks;
    EXPECT_LE(time(blocks), 1.1 * fits) << blocks;
  }
}

} // namespace perfmodel::launch_phases_test
