#include "models/access/warp.hpp"

#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perfmodel::warp_test {

Warp::Tables warps(Shape block, std::optional<ThreadIndex> thread = {},
                   ThreadOrder order = ThreadOrder::cuda) {
  static const Gpu h200 = gpu_named("h200");
  Plain plain;
  return Warp::predict(h200, {block, thread, order}, plain);
}
std::vector<Warp::Members> members(Shape block, ThreadOrder order = ThreadOrder::cuda) {
  return std::get<2>(warps(block, {}, order));
}

// Worked by hand: rows of 8, so a warp is 4 of them.
TEST(Warp, of_8_x_8_threads_ends_at_7_3_and_the_next_begins_at_0_4) {
  const auto w = members({8, 8, 1});
  ASSERT_EQ(w.size(), 2u);
  EXPECT_EQ(w[0].first.text(), "0,0,0");
  EXPECT_EQ(w[0].last.text(), "7,3,0");
  EXPECT_EQ(w[1].first.text(), "0,4,0");
  EXPECT_EQ(w[1].last.text(), "7,7,0");
}

// J. Verschelde's list: warp 0 is (0,0) (0,1) ... (3,7).
TEST(Warp, with_x_slowest_is_the_list_that_a_lecture_prints) {
  const auto w = members({8, 8, 1}, ThreadOrder::x_slowest);
  EXPECT_EQ(w[0].last.text(), "3,7,0");
  EXPECT_EQ(w[1].first.text(), "4,0,0");
  EXPECT_EQ(std::get<0>(warps({8, 8, 1}, {}, ThreadOrder::x_slowest)).at(0).advice,
            "no GPU numbers threads so: x is fastest");
}

TEST(Warp, of_a_3_d_block_crosses_into_the_next_z) {
  const auto w = members({4, 4, 4});
  ASSERT_EQ(w.size(), 2u);
  EXPECT_EQ(w[0].last.text(), "3,3,1");
  EXPECT_EQ(w[1].first.text(), "0,0,2");
}

TEST(Warp, that_is_not_full_wastes_its_lanes) {
  const Warp::Block full = std::get<0>(warps({256, 1, 1})).at(0),
                    partial = std::get<0>(warps({10, 10, 1})).at(0);
  EXPECT_EQ(full.warps, 8);
  EXPECT_EQ(full.idle_lanes, 0);
  EXPECT_EQ(full.advice, "none: every lane has a thread");
  EXPECT_EQ(partial.warps, 4);
  EXPECT_EQ(partial.idle_lanes, 28);
  EXPECT_DOUBLE_EQ(partial.efficiency, 100.0 / 128);
  EXPECT_EQ(partial.advice,
            "28 of the last warp's 32 lanes never work: a block of 128 threads costs as much");
  EXPECT_EQ(members({10, 10, 1})[3].threads, 4);
  EXPECT_EQ(members({10, 10, 1})[3].last.text(), "9,9,0");
}

// 3 + 4 x 8 + 1 x 64 = 99 = 3 x 32 + 3.
TEST(Warp, of_one_thread) {
  const auto t = std::get<1>(warps({8, 8, 2}, ThreadIndex{3, 4, 1}));
  ASSERT_EQ(t.size(), 1u);
  EXPECT_EQ(t[0].tid, 99);
  EXPECT_EQ(t[0].warp, 3);
  EXPECT_EQ(t[0].lane, 3);
  EXPECT_TRUE(std::get<1>(warps({8, 8, 2})).empty());
}

TEST(Warp, number_and_thread_are_each_others_inverse_in_both_orders) {
  const Shape block{5, 6, 4};
  for (const ThreadOrder order : {ThreadOrder::cuda, ThreadOrder::x_slowest}) {
    std::set<double> seen;
    for (std::int64_t x = 0; x < block.x; ++x)
      for (std::int64_t y = 0; y < block.y; ++y)
        for (std::int64_t z = 0; z < block.z; ++z)
          seen.insert(std::get<1>(warps(block, ThreadIndex{x, y, z}, order)).at(0).tid);
    EXPECT_EQ(seen.size(), 120u);
    EXPECT_EQ(*seen.rbegin(), 119);
    for (const Warp::Members& w : members(block, order)) {
      EXPECT_EQ(std::get<1>(warps(block, w.first, order)).at(0).tid, static_cast<double>(w.first_tid));
      EXPECT_EQ(std::get<1>(warps(block, w.last, order)).at(0).tid, static_cast<double>(w.last_tid));
    }
  }
}

TEST(Warp, a_thread_outside_the_block_and_a_block_too_large_are_refused) {
  EXPECT_EQ(error_of([] {
              warps({8, 8, 1}, ThreadIndex{0, 8, 0});
            }),
            "--thread 0,8,0: no thread of a block of 8x8");
  EXPECT_EQ(error_of([] {
              warps({64, 64, 1});
            }),
            "--block 64x64: 4096 threads, but a block of h200 has at most 1024");
}

TEST(Thread, is_one_to_three_whole_numbers) {
  EXPECT_EQ(ThreadIndex::from_text("3").text(), "3,0,0");
  EXPECT_EQ(ThreadIndex::from_text("3,4,5").text(), "3,4,5");
  for (const char* text : {"", "3,", "3,4,5,6", "-1", "3x4", "1.5", "1234567890"})
    EXPECT_EQ(error_of([&] { ThreadIndex::from_text(text); }),
              "'" + std::string(text) + "' is no thread x,y,z such as 3,4,0");
}

} // namespace perfmodel::warp_test
