// WarpSteps of a block that load the same: they take turns to miss L1, or the first that comes misses.
#include "models/simulate/miss_turns.hpp"

#include "small_sm.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace perfmodel::miss_turns_test {

// Steps: a load of instruction 7 that misses, the same that finds all in L1, arithmetic, another load.
std::vector<TracedStep> steps() {
  std::vector<TracedStep> all(4);
  for (TracedStep& step : all) step.space = Space::global, step.loads = true, step.instruction = 7;
  all[0].sectors = 4;
  all[2] = {.instruction = 8};
  all[3].instruction = 9, all[3].sectors = 4;
  return all;
}
constexpr std::uint32_t miss = 0, hit = 1, add = 2, other = 3;

// The trace has warp 0 miss in each of three trips.
TEST(MissTurns, go_round_the_warps_of_a_block) {
  WarpSteps warps{
      {miss, add, miss, add, miss, add}, {hit, add, hit, add, hit, add}, {hit, add, hit, add, hit, add}};
  take_turns_to_miss(warps, steps());
  EXPECT_EQ(warps, (WarpSteps{{miss, add, hit, add, hit, add},
                              {hit, add, miss, add, hit, add},
                              {hit, add, hit, add, miss, add}}));
}

TEST(MissTurns, are_not_taken_where_all_miss_or_none) {
  const WarpSteps before{{miss, miss, hit}, {miss, miss, hit}};
  WarpSteps warps = before;
  take_turns_to_miss(warps, steps());
  EXPECT_EQ(warps, before);
}

TEST(MissTurns, are_not_taken_where_warps_do_different_things) {
  const WarpSteps before{{miss, miss}, {other, add}};
  WarpSteps warps = before;
  take_turns_to_miss(warps, steps());
  EXPECT_EQ(warps, before);
}

// As far as both go.
TEST(MissTurns, end_with_the_shorter_warp) {
  WarpSteps warps{{miss, miss, miss, miss}, {hit, hit}};
  take_turns_to_miss(warps, steps());
  EXPECT_EQ(warps, (WarpSteps{{miss, hit, miss, miss}, {hit, miss}}));
}

TEST(Meetings, are_where_all_make_a_load_and_one_misses) {
  const WarpSteps warps{{miss, add, miss, miss, hit}, {hit, add, miss, other, miss}};
  const std::vector<Meeting> all = meetings_of(warps, steps());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].place, 0u);
  EXPECT_EQ(all[1].place, 4u);
  EXPECT_EQ(all[1].miss, std::vector<std::uint32_t>{miss});
  EXPECT_EQ(all[1].hit, std::vector<std::uint32_t>{hit});
  EXPECT_TRUE(meetings_of({{miss, hit}}, steps()).empty()) << "one warp meets nobody";
}

// Warps 0 and 2 load the same, 1 and 3 something else.
TEST(Meetings, are_of_groups_where_several_warps_fetch) {
  std::vector<TracedStep> all = steps();
  TracedStep found = all[hit];
  found.fetched_by = 1;
  all.push_back(found);
  found.fetched_by = 2;
  all.push_back(found);
  constexpr std::uint32_t from_first = 4, from_second = 5;
  const std::vector<Meeting> two = meetings_of({{miss}, {miss}, {from_first}, {from_second}}, all);
  ASSERT_EQ(two.size(), 1u);
  EXPECT_EQ(two[0].group, (std::vector<std::uint8_t>{0, 1, 0, 1}));
  EXPECT_EQ(two[0].miss, (std::vector<std::uint32_t>{miss, miss}));
  EXPECT_EQ(two[0].hit, (std::vector<std::uint32_t>{from_first, from_second}));
  EXPECT_TRUE(meetings_of({{miss}, {miss}, {from_first}, {hit}}, all).empty()) << "one was there long before";
  EXPECT_TRUE(meetings_of({{miss}, {from_first}, {miss}, {from_second}}, all).empty())
      << "warp 1 has not fetched here";
}

TEST(Meetings, leave_steps_alike_whoever_fetched) {
  std::vector<TracedStep> all = steps();
  all.push_back(all[hit]);
  all.back().fetched_by = 1;
  EXPECT_EQ(whoever_fetched(all), (std::vector<std::uint32_t>{0, 1, 2, 3, 1}));
}

// Loads of two warps: the first takes 5 + 300 cycles, the second 1 + 30, and not less than until what the
// first fetches is there. Whichever comes first is the first.
TEST(Meetings, a_warp_that_comes_later_has_what_the_first_fetches_when_that_is_there) {
  using namespace small_sm;
  TracedBlocks blocks;
  WarpStep fetch = access(memory, 5, 300), have = access(lsu, 1, 30), late = instruction(1, 0);
  for (WarpStep* load : {&fetch, &have}) load->result = 0;
  fetch.found = 2; // the step that follows
  late.waits = 1, late.waits_for[0] = 0;
  WarpStep busy;
  busy.repeat = 200;
  blocks.steps = {fetch, have, late, busy};
  blocks.places = 1;
  blocks.order = {0};
  const auto cycles = [&](std::vector<std::uint32_t> one, std::vector<std::uint32_t> two) {
    blocks.programs = {std::move(one), std::move(two)};
    blocks.blocks = {{0, 1}};
    return run_blocks(machine(), blocks, 1, 1).cycles;
  };
  EXPECT_NEAR(cycles({0, 2}, {0, 2}), 306, 3);
  EXPECT_NEAR(cycles({0, 2}, {0, 2, 3}), 506, 3) << "the second waits for the first, and has much to do then";
  EXPECT_NEAR(cycles({3, 0, 2}, {0, 2}), 306, 3) << "the first warp comes second, and finds it under way";
  EXPECT_NEAR(cycles({3, 3, 3, 0, 2}, {0, 2}), 632, 6) << "after 600 slots it is there";
}

// Two groups of two: a warp that comes late finds what its own group has fetched, 100 slots before.
TEST(Meetings, a_warp_waits_for_its_own_group) {
  using namespace small_sm;
  TracedBlocks blocks;
  WarpStep fetch = access(memory, 5, 300), have = access(lsu, 1, 30), late = instruction(1, 0), busy;
  for (WarpStep* load : {&fetch, &have}) load->result = 0;
  fetch.found = 3; // the third
  late.waits = 1, late.waits_for[0] = 0;
  busy.repeat = 600;
  WarpStep elsewhere = fetch;
  elsewhere.group_of_warps = 1;
  blocks.steps = {fetch, elsewhere, have, late, busy};
  blocks.places = 1;
  blocks.order = {0};
  const auto cycles = [&](std::uint32_t of_late) {
    blocks.programs = {{0, 3}, {4, of_late, 3}};
    blocks.blocks = {{0, 1}};
    return run_blocks(machine(), blocks, 1, 1).cycles;
  };
  EXPECT_NEAR(cycles(0), 632, 6) << "there since cycle 305";
  EXPECT_NEAR(cycles(1), 906, 6) << "the other group's, not asked for yet";
}

} // namespace perfmodel::miss_turns_test
