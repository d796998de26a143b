// Which blocks stand for a grid, of blocks that are made here: one does as much as its trace says.
#include "models/simulate/block_samples.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

namespace perfmodel::block_samples_test {

// Blocks of so many instructions each.
class Grid {
public:
  explicit Grid(std::function<std::uint32_t(std::int64_t block)> work) : work_(std::move(work)) {}
  BlockSamples sampled(const Shape& grid, std::uint64_t effort) {
    return sample_blocks(grid, effort, 1,
                         [&](std::int64_t x, std::int64_t y, std::int64_t z) -> const BlockTrace& {
                           return of(work_(x + grid.x * (y + grid.y * z)));
                         });
  }

private:
  const BlockTrace& of(std::uint32_t work) {
    BlockTrace& trace = made_[work];
    trace.warps = {{work}};
    trace.read_sectors = trace.stored_sectors = {1. * work};
    trace.sectors_again = trace.sectors_lost = trace.sectors_rewritten = {0};
    trace.lost_alone = trace.rewritten_alone = trace.refilled_sectors = {0};
    trace.counts.instructions = trace.counts.load_sectors = work;
    return trace;
  }
  std::function<std::uint32_t(std::int64_t)> work_;
  std::map<std::uint32_t, BlockTrace> made_;
};

double weight_of(const std::vector<BlockKind>& kinds) {
  return std::accumulate(kinds.begin(), kinds.end(), 0.0,
                         [](double sum, const BlockKind& k) { return sum + k.weight; });
}

TEST(BlockSamples, the_ends_of_a_grid_are_told_from_what_lies_between) {
  Grid grid([](std::int64_t block) { return block == 0 || block == 999 ? 5U : 100U; });
  const BlockSamples samples = grid.sampled({1000, 1, 1}, 100);
  EXPECT_EQ(samples.kinds.size(), 2u);
  EXPECT_DOUBLE_EQ(samples.counts.instructions, 998 * 100 + 2 * 5);
  EXPECT_DOUBLE_EQ(samples.read_sectors[0], 998 * 100 + 2 * 5);
}

// Causal attention, one thread a pair: 32 blocks a row of 1024 rows, of which those up to the diagonal work.
// At powers of two all blocks begin a row.
TEST(BlockSamples, work_that_changes_over_and_over_is_met_in_the_mean) {
  Grid grid([](std::int64_t block) { return block % 32 * 32 <= block / 32 % 1024 ? 400U : 10U; });
  const BlockSamples samples = grid.sampled({32 * 1024 * 96, 1, 1}, 10);
  const double blocks = 32. * 1024 * 96, share = (31. * 16 + 32) / 32 / 32; // about 0.52 of them work
  EXPECT_NEAR(samples.counts.instructions / blocks, 400 * share + 10 * (1 - share), 0.05 * 205);
  EXPECT_NEAR(weight_of(samples.kinds), blocks, 1e-6 * blocks);
}

// A grid of 7200 blocks for work of 15, each of which does something else: blocks strewn over the grid would
// miss them all.
TEST(BlockSamples, a_few_blocks_that_work_before_many_that_do_not_are_found) {
  Grid grid([](std::int64_t block) { return block < 15 ? 5000U + static_cast<std::uint32_t>(block) : 8U; });
  const BlockSamples samples = grid.sampled({7200, 1, 1}, 8);
  EXPECT_NEAR(samples.counts.instructions, 15 * 5007. + 7185 * 8., 0.02 * 132'000);
  EXPECT_NEAR(weight_of(samples.kinds), 7200, 1e-6);
}

// Thirty blocks in turns, of two kinds, before many that leave: more changes than are looked for. What is
// left of the stretch does not count as blocks that work.
TEST(BlockSamples, where_work_changes_too_often_the_rest_is_taken_to_do_what_comes_then) {
  Grid grid(
      [](std::int64_t block) { return block < 30 ? 5000U + static_cast<std::uint32_t>(block) % 2 : 10U; });
  const BlockSamples samples = grid.sampled({1000, 1, 1}, 10);
  const BlockKind& leaves = samples.kinds.front();
  EXPECT_EQ(leaves.trace->counts.instructions, 10);
  EXPECT_EQ(leaves.to, 1000);
  EXPECT_EQ(static_cast<double>(leaves.to - leaves.from), leaves.weight) << "all of them side by side";
}

// As of rows that begin anywhere in a sector: some blocks strewn over the grid stand for all, and few are run
// to find that out.
TEST(BlockSamples, where_no_two_blocks_do_the_same_a_few_stand_for_all) {
  std::set<std::int64_t> run;
  Grid grid([&](std::int64_t block) {
    run.insert(block);
    return 1000U + static_cast<std::uint32_t>(block % 97);
  });
  const BlockSamples samples = grid.sampled({70, 70, 1}, 40'000);
  EXPECT_NEAR(samples.counts.instructions, 4900 * 1048., 0.01 * 4900 * 1048);
  EXPECT_LT(run.size(), 40u);
}

// Blocks of so many instructions are long, and yet where the work of a row changes is looked for.
TEST(BlockSamples, of_longer_blocks_the_change_is_found_too) {
  Grid grid([](std::int64_t block) { return block < 400 ? 240U : 300U; });
  EXPECT_DOUBLE_EQ(grid.sampled({1000, 1, 1}, 30'000).counts.instructions, 400 * 240 + 600 * 300);
}

// As a test of latency that lets one SM walk a list after the other.
TEST(BlockSamples, the_only_block_that_works_is_found) {
  for (const std::int64_t which : {1, 20, 77, 130}) {
    Grid grid([which](std::int64_t block) { return block == which ? 9000U : 8U; });
    const BlockSamples samples = grid.sampled({132, 1, 1}, 8);
    EXPECT_EQ(samples.kinds.size(), 2u) << which;
  }
}

// A column of blocks that work, of 102 that do not: as where a grid of two dimensions is launched for one.
TEST(BlockSamples, of_a_row_the_share_that_works_is_known) {
  Grid grid([](std::int64_t block) { return block % 102 < 3 ? 6000U : 10U; });
  const BlockSamples samples = grid.sampled({102, 102, 1}, 10);
  EXPECT_EQ(samples.typical.trace->counts.instructions, 6000);
  EXPECT_DOUBLE_EQ(samples.across, 3. / 102);
  EXPECT_NEAR(samples.accessing, 3. / 102 + 99. / 102 * 10 / 6000, 1e-9);
  EXPECT_TRUE(samples.ends.empty());
}

// The last block takes what is left over, in another way: those strewn over the grid miss it.
TEST(BlockSamples, where_no_rule_says_which_block_does_what_both_ends_are_looked_at) {
  Grid grid([](std::int64_t block) {
    return block == 4899 ? 2900U : 1000U + static_cast<std::uint32_t>(block % 97);
  });
  const BlockSamples samples = grid.sampled({70, 70, 1}, 40'000);
  ASSERT_EQ(samples.ends.size(), 2u);
  EXPECT_EQ(samples.ends[1]->counts.instructions, 2900);
  EXPECT_EQ(samples.across, 1);
}

// No two blocks that go by data do the same; but one that does three times as much is of another kind.
TEST(BlockSamples, blocks_that_go_by_data_are_alike_if_they_do_about_as_much) {
  BlockTrace one, other;
  one.warps = {{1}}, other.warps = {{2}};
  one.run.indexed = other.run.indexed = 1;
  one.counts.instructions = 100, other.counts.instructions = 150;
  EXPECT_TRUE(same_work(one, other));
  other.counts.instructions = 300;
  EXPECT_FALSE(same_work(one, other));
  other.counts.instructions = 100;
  other.counts.load_requests = 10, one.counts.load_requests = 30;
  EXPECT_FALSE(same_work(one, other));
}

TEST(BlockSamples, fewer_kinds_weigh_as_much_and_do_as_much) {
  std::vector<BlockTrace> traces(100);
  std::vector<BlockKind> kinds;
  double work = 0;
  for (std::size_t n = 0; n < traces.size(); ++n) {
    traces[n].counts.instructions = 100 + static_cast<double>(n * 7 % 100);
    kinds.push_back({.trace = &traces[n], .weight = n == 3 ? 200. : 1.});
    work += kinds.back().weight * traces[n].counts.instructions;
  }
  const std::vector<BlockKind> few = fewer_kinds(kinds, 8);
  EXPECT_LE(few.size(), 8u);
  EXPECT_NEAR(weight_of(few), 299, 1e-9);
  double kept = 0;
  for (const BlockKind& k : few) kept += k.weight * k.trace->counts.instructions;
  EXPECT_NEAR(kept, work, 0.05 * work);
  EXPECT_EQ(few.front().trace, &traces[3]) << "what most blocks do comes first";
  EXPECT_EQ(fewer_kinds(few, 8).size(), few.size());
}

} // namespace perfmodel::block_samples_test
