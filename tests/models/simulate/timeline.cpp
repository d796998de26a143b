#include "models/simulate/timeline.hpp"

#include "models/simulate/sm_code.hpp"
#include "models/simulate/sms.hpp"

#include <gtest/gtest.h>

namespace perfmodel::timeline_test {

SmMachine machine() {
  SmMachine m;
  m.sms = 1;
  m.units = {{.name = "alu"}};
  return m;
}

// Four sums, each of which waits for the one before.
WarpProgram chain() {
  WarpStep step;
  step.uses[0] = {0, 1};
  step.used = 1;
  step.latency = 9;
  step.result = 0;
  step.waits_for[0] = 0;
  step.waits = 1;
  step.blames = Stall::long_scoreboard;
  return WarpProgram(4, step);
}

WarpWatch watched(std::size_t warps, std::size_t resident, std::size_t blocks) {
  const SmMachine m = machine();
  TracedBlocks traced{.steps = chain(), .programs = {{0, 1, 2, 3}}, .blocks = {}, .order = {0}, .places = 1};
  traced.blocks = {std::vector<std::size_t>(warps, 0)};
  const SmCode code = code_of(m, traced);
  WarpWatch watch;
  Sms(m, code, resident, blocks, &watch).take();
  return watch;
}

// By hand: a sum is issued in cycle 0 and has its result in 10; three more follow, each with the last.
TEST(Timeline, one_warp_waits_for_each_of_its_results) {
  const auto rows = timeline(watched(1, 1, 1), 1, 4);
  ASSERT_EQ(rows.size(), 3u) << "the SM, its block, the block's warp";
  const TimeSlice all = rows[0].all();
  EXPECT_DOUBLE_EQ(all.issued, 4);
  EXPECT_DOUBLE_EQ(all.issue_cycles, 4);
  EXPECT_NEAR(all.stalls[static_cast<std::size_t>(Stall::long_scoreboard)], 27, 1);
  EXPECT_EQ(all.mostly(), Stall::long_scoreboard);
  EXPECT_DOUBLE_EQ(rows[0].slices.back().to, rows[1].end);
}

// Ten warps fill the slots that one leaves empty: latency hiding.
TEST(Timeline, many_warps_issue_while_one_waits) {
  const auto use = [](std::size_t warps) {
    const TimeSlice all = timeline(watched(warps, 1, 1), 1, 10)[0].all();
    return all.issue_cycles / (all.to - all.from);
  };
  EXPECT_LT(use(1), 0.15);
  EXPECT_GT(use(10), 0.8);
}

// What slices show is neither lost nor counted twice.
TEST(Timeline, rows_of_blocks_add_up_to_that_of_the_sm) {
  const auto rows = timeline(watched(2, 2, 4), 2, 7);
  for (std::size_t i = 0; i < 7; ++i) {
    double warp_cycles = 0, issued = 0, stalls = 0;
    for (const TimelineRow& row : rows) {
      if (!row.block || row.warp) continue;
      warp_cycles += row.slices[i].warp_cycles;
      issued += row.slices[i].issued;
    }
    for (const double cycles : rows[0].slices[i].stalls) stalls += cycles;
    EXPECT_NEAR(rows[0].slices[i].warp_cycles, warp_cycles, 1e-9);
    EXPECT_NEAR(stalls + rows[0].slices[i].issue_cycles, warp_cycles, 1e-9);
    EXPECT_DOUBLE_EQ(rows[0].slices[i].issued, issued);
    if (i > 0) {
      EXPECT_DOUBLE_EQ(rows[0].slices[i].from, rows[0].slices[i - 1].to);
    }
  }
}

TEST(Timeline, a_block_starts_where_one_before_it_has_ended) {
  const auto rows = timeline(watched(1, 1, 3), 1, 10);
  ASSERT_GE(rows.size(), 4u);
  EXPECT_GE(rows[2].start, rows[1].end);
  EXPECT_LT(rows[2].slices.front().warp_cycles, 1e-9);
}

// Who looks on changes nothing.
TEST(Timeline, a_watched_run_is_the_same_run) {
  const SmMachine m = machine();
  TracedBlocks traced{
      .steps = chain(), .programs = {{0, 1, 2, 3}}, .blocks = {{0, 0}}, .order = {0}, .places = 1};
  const SmCode code = code_of(m, traced);
  WarpWatch watch;
  const SmRun seen = Sms(m, code, 2, 5, &watch).take(), unseen = Sms(m, code, 2, 5).take();
  EXPECT_EQ(seen.cycles, unseen.cycles);
  EXPECT_EQ(seen.stalls, unseen.stalls);
  double spans = 0, stalls = 0;
  for (const WarpSpan& span : watch.spans) spans += span.to - span.from;
  for (const double cycles : seen.stalls) stalls += cycles;
  EXPECT_NEAR(spans, stalls, 1e-6);
}

TEST(Timeline, of_nothing_there_is_none) {
  EXPECT_TRUE(timeline(WarpWatch{}, 1, 10).empty());
  EXPECT_TRUE(timeline(watched(1, 1, 1), 1, 0).empty());
}

} // namespace perfmodel::timeline_test
