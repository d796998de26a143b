#include "kernels/capture/launch_recorder.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace perfmodel::launch_recorder_test {

using kernels::LaunchRecorder;
using kernels::TimedRun;

// f(float* p, float* q, int n), both pointers into allocations of 1 KiB.
CapturedLaunch launch_of_f(std::uint8_t n, std::uint64_t first = 0, std::uint64_t second = 0) {
  return {.kernel = "f",
          .grid = {.x = 4},
          .block = {.x = 32},
          .arguments_known = true,
          .allocations = {1024, 1024},
          .arguments = {{.offset = 0, .bytes = std::vector<std::uint8_t>(8), .pointers = {{0, 0, first}}},
                        {.offset = 8, .bytes = std::vector<std::uint8_t>(8), .pointers = {{0, 1, second}}},
                        {.offset = 16, .bytes = {n, 0, 0, 0}}}};
}

TEST(LaunchRecorder, the_same_launch_is_kept_once) {
  LaunchRecorder recorder;
  EXPECT_TRUE(recorder.launched(launch_of_f(5), 1));
  EXPECT_FALSE(recorder.launched(launch_of_f(5), 2));
  EXPECT_TRUE(recorder.launched(launch_of_f(6), 3)); // another number
  const CapturedLaunches all = recorder.so_far();
  ASSERT_EQ(all.launches.size(), 2u);
  EXPECT_EQ(all.launches[0].count, 2u);
  EXPECT_EQ(all.launches[1].count, 1u);
  EXPECT_FALSE(all.launches[0].times);
}

TEST(LaunchRecorder, where_a_pointer_lies_makes_a_launch_another_only_by_its_alignment) {
  LaunchRecorder recorder;
  EXPECT_TRUE(recorder.launched(launch_of_f(5, 0), 1));
  EXPECT_FALSE(recorder.launched(launch_of_f(5, 512), 2));
  EXPECT_TRUE(recorder.launched(launch_of_f(5, 516), 3));
  CapturedLaunch larger = launch_of_f(5);
  larger.allocations[1] = 2048;
  EXPECT_TRUE(recorder.launched(larger, 4));
  // In place: both pointers are one, and not two places of one allocation.
  CapturedLaunch in_place = launch_of_f(5), beside = in_place;
  in_place.allocations = beside.allocations = {1024};
  in_place.arguments[1].pointers = {{0, 0, 0}};
  beside.arguments[1].pointers = {{0, 0, 512}};
  EXPECT_TRUE(recorder.launched(in_place, 5));
  EXPECT_TRUE(recorder.launched(beside, 6));
}

TEST(LaunchRecorder, times_go_to_the_launch_of_their_correlation) {
  LaunchRecorder recorder;
  for (std::uint32_t i = 0; i < 4; ++i) recorder.launched(launch_of_f(5), i);
  recorder.launched(launch_of_f(6), 9);
  for (const auto& [correlation, ns] : {std::pair{0U, 900U}, {1U, 110U}, {2U, 100U}, {3U, 120U}, {9U, 7U}})
    recorder.ran({.correlation = correlation, .nanoseconds = ns});
  const CapturedLaunches all = recorder.so_far();
  EXPECT_EQ(all.launches[0].times->count, 4u);
  EXPECT_EQ(all.launches[0].times->least, 100u);
  EXPECT_EQ(all.launches[0].times->median, 115u); // of 100 110 120 900
  EXPECT_EQ(all.launches[1].times->median, 7u);
  EXPECT_EQ(recorder.timed(), 5u);
}

TEST(LaunchRecorder, kernels_of_a_graph_are_told_by_their_shapes) {
  LaunchRecorder recorder;
  recorder.launched(launch_of_f(5), 1, false); // put into a graph: does not run yet
  EXPECT_EQ(recorder.so_far().launches[0].count, 0u);
  const TimedRun run{
      .correlation = 77, .nanoseconds = 50, .kernel = "f", .grid = {.x = 4}, .block = {.x = 32}};
  recorder.ran(run);
  recorder.ran(run);
  EXPECT_EQ(recorder.so_far().launches[0].count, 2u);
  EXPECT_EQ(recorder.so_far().launches[0].times->count, 2u);
  recorder.launched(launch_of_f(6), 2, false); // now two could be meant
  recorder.ran(run);
  EXPECT_EQ(recorder.so_far().launches[0].times->count, 2u);
}

TEST(LaunchRecorder, a_thousand_distinct_launches_are_kept_and_the_others_counted) {
  LaunchRecorder recorder;
  CapturedLaunch launch = launch_of_f(0);
  const auto most = static_cast<std::int64_t>(LaunchRecorder::most_launches);
  for (std::int64_t i = 0; i < 2 * (most + 5); ++i) {
    launch.grid.x = 1 + i % (most + 5);
    recorder.launched(launch, static_cast<std::uint32_t>(i));
  }
  EXPECT_EQ(recorder.so_far().launches.size(), LaunchRecorder::most_launches);
  EXPECT_EQ(recorder.so_far().left_out, 5u);
  EXPECT_EQ(recorder.so_far().launches[0].count, 2u);
}

TEST(LaunchRecorder, any_thread_may_launch) {
  LaunchRecorder recorder;
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t)
    threads.emplace_back([&recorder, t] {
      for (std::uint32_t i = 0; i < 500; ++i) {
        recorder.launched(launch_of_f(5), 1000 * t + i);
        recorder.ran({.correlation = 1000 * t + i, .nanoseconds = 10 + i});
        recorder.note("the same sentence");
      }
    });
  for (std::thread& thread : threads) thread.join();
  const CapturedLaunches all = recorder.so_far();
  EXPECT_EQ(all.launches[0].count, 2000u);
  EXPECT_EQ(all.launches[0].times->count, 2000u);
  EXPECT_EQ(all.notes.size(), 1u);
}

// How many of each kept launch came in a row.
std::vector<std::uint64_t> in_a_row(const LaunchRecorder& recorder) {
  std::vector<std::uint64_t> all;
  for (const CapturedLaunch& launch : recorder.so_far().launches) all.push_back(launch.in_a_row);
  return all;
}

TEST(LaunchRecorder, a_launch_right_behind_one_like_it_is_in_a_row) {
  LaunchRecorder recorder;
  std::uint32_t correlation = 0;
  const auto launched = [&](std::uint8_t n) { recorder.launched(launch_of_f(n), ++correlation); };
  launched(5);
  EXPECT_EQ(in_a_row(recorder), (std::vector<std::uint64_t>{0}));
  launched(5), launched(5);
  EXPECT_EQ(in_a_row(recorder), (std::vector<std::uint64_t>{2}));
  launched(6), launched(5), launched(6), launched(5); // each behind the other
  EXPECT_EQ(in_a_row(recorder), (std::vector<std::uint64_t>{2, 0}));
  launched(5);
  EXPECT_EQ(in_a_row(recorder), (std::vector<std::uint64_t>{3, 0}));
  EXPECT_EQ(recorder.so_far().launches[0].count, 6u);
}

TEST(LaunchRecorder, what_was_counted_before_makes_no_launch_another) {
  LaunchRecorder recorder;
  CapturedLaunch counted = launch_of_f(5);
  counted.count = 9, counted.in_a_row = 8;
  EXPECT_TRUE(recorder.launched(counted, 1));
  EXPECT_FALSE(recorder.launched(launch_of_f(5), 2));
  EXPECT_EQ(in_a_row(recorder), (std::vector<std::uint64_t>{1}));
}

TEST(LaunchRecorder, each_gpu_has_rows_of_its_own) {
  LaunchRecorder recorder;
  CapturedLaunch there = launch_of_f(5);
  there.gpu = 1;
  for (std::uint32_t i = 0; i < 6; i += 2) {
    recorder.launched(launch_of_f(5), i);
    recorder.launched(there, i + 1);
  }
  EXPECT_EQ(in_a_row(recorder), (std::vector<std::uint64_t>{2, 2}));
}

TEST(LaunchRecorder, a_launch_that_is_left_out_ends_a_row_on_its_gpu) {
  LaunchRecorder recorder;
  CapturedLaunch launch = launch_of_f(5), beyond = launch_of_f(6), elsewhere = beyond;
  elsewhere.gpu = 1;
  std::uint32_t correlation = 0;
  for (std::size_t i = LaunchRecorder::most_launches; i-- > 0;) {
    launch.grid.x = 1 + static_cast<std::int64_t>(i);
    recorder.launched(launch, ++correlation);
  }
  const auto last_in_a_row = [&] { return recorder.so_far().launches.back().in_a_row; };
  recorder.launched(elsewhere, ++correlation);
  recorder.launched(launch, ++correlation);
  EXPECT_EQ(last_in_a_row(), 1u) << "another GPU's";
  recorder.launched(beyond, ++correlation, false); // put into a graph: does not run now
  recorder.launched(launch, ++correlation);
  EXPECT_EQ(last_in_a_row(), 2u);
  recorder.launched(beyond, ++correlation);
  recorder.launched(launch, ++correlation);
  EXPECT_EQ(last_in_a_row(), 2u);
  EXPECT_EQ(recorder.so_far().left_out, 2u);
}

TEST(LaunchRecorder, kernels_of_a_graph_are_in_no_row) {
  LaunchRecorder recorder;
  recorder.launched(launch_of_f(5), 1);
  recorder.launched(launch_of_f(5), 2, false); // put into a graph
  recorder.launched(launch_of_f(6), 3, false);
  recorder.launched(launch_of_f(5), 4);
  EXPECT_EQ(in_a_row(recorder), (std::vector<std::uint64_t>{1, 0}));
}

// What memory held is that of the first launch, and so is the time that goes with it.
TEST(LaunchRecorder, the_first_launch_keeps_its_contents_and_its_time) {
  LaunchRecorder recorder;
  CapturedLaunch first = launch_of_f(5), second = first;
  first.contents = {{.allocation = 0, .size = 1024, .bytes = 1024}};
  second.contents = {{.allocation = 0, .size = 1024, .at = 1024, .bytes = 1024}};
  EXPECT_FALSE(recorder.knows(first));
  recorder.launched(first, 1);
  EXPECT_TRUE(recorder.knows(second));
  recorder.launched(second, 2);
  recorder.ran({.correlation = 2, .nanoseconds = 50});
  EXPECT_FALSE(recorder.so_far().launches.at(0).first_time);
  recorder.ran({.correlation = 1, .nanoseconds = 90});
  const CapturedLaunches all = recorder.so_far();
  ASSERT_EQ(all.launches.size(), 1u);
  EXPECT_EQ(all.launches[0].first_time, 90u);
  EXPECT_EQ(all.launches[0].contents.at(0).at, 0u);
}

TEST(LaunchRecorder, what_was_used_since_is_the_median_of_the_launches_and_never_is_longest_ago) {
  LaunchRecorder recorder;
  auto launched = [&, i = 0U](std::optional<std::uint64_t> first,
                              std::optional<std::uint64_t> second) mutable {
    CapturedLaunch launch = launch_of_f(5);
    launch.others_since = {first, second};
    recorder.launched(launch, ++i);
  };
  using Since = std::vector<std::optional<std::uint64_t>>;
  launched(std::nullopt, std::nullopt);
  EXPECT_EQ(recorder.so_far().launches[0].others_since, (Since{std::nullopt, std::nullopt}));
  launched(100, std::nullopt);
  EXPECT_EQ(recorder.so_far().launches[0].others_since, (Since{100, std::nullopt}))
      << "of two the nearer one";
  launched(300, 7);
  ASSERT_EQ(recorder.so_far().launches.size(), 1u) << "it makes no launch another";
  EXPECT_EQ(recorder.so_far().launches[0].others_since, (Since{300, std::nullopt}));
  launched(100, 7), launched(100, 7);
  EXPECT_EQ(recorder.so_far().launches[0].others_since, (Since{100, 7}));
  EXPECT_EQ(recorder.so_far().launches[0].first_others_since, (Since{std::nullopt, std::nullopt}));
}

} // namespace perfmodel::launch_recorder_test
