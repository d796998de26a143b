#include "models/access/launch.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

namespace perfmodel::launch_test {

Expression expression(std::string_view text) { return Expression::from_text(text); }

// The values of `text` in every thread of a launch, in the order of the walk.
std::vector<std::int64_t> values(Shape block, Shape grid, std::string_view text, std::string_view guard = "",
                                 std::int64_t i = 0, std::string_view let = "") {
  LaunchWalk walk(block, grid, Bindings::from_text(let));
  walk.guard_by(expression(guard), "--if");
  const std::size_t program = walk.add(expression(text), "--index");
  std::vector<std::int64_t> all;
  walk.each_warp(i, [&](const WarpView& warp) {
    for (std::size_t l = 0; l < warp_lanes; ++l)
      if (warp.active >> l & 1) all.push_back(warp.values(program)[l]);
  });
  return all;
}

TEST(LaunchWalk, meets_every_thread_once_with_x_fastest) {
  for (const Shape block : {Shape{33, 1, 1}, {5, 3, 2}, {8, 8, 1}, {1, 1, 1}, {1024, 1, 1}, {3, 100, 3}})
    for (const Shape grid : {Shape{1, 1, 1}, {3, 2, 2}, {70, 1, 1}, {13, 11, 1}}) {
      std::map<std::string_view, std::vector<std::int64_t>> v;
      for (const char* name : {"x", "y", "z", "bx", "by", "bz", "tid", "gid", "row", "col", "warp", "lane"})
        v[name] = values(block, grid, name);
      std::size_t at = 0;
      for (std::int64_t b = 0; b < grid.count(); ++b)
        for (std::int64_t t = 0; t < block.count(); ++t, ++at) {
          ASSERT_LT(at, v["x"].size());
          const std::int64_t x = t % block.x, y = t / block.x % block.y, bx = b % grid.x,
                             by = b / grid.x % grid.y;
          ASSERT_EQ(v["x"][at], x);
          ASSERT_EQ(v["y"][at], y);
          ASSERT_EQ(v["z"][at], t / (block.x * block.y));
          ASSERT_EQ(v["bx"][at], bx);
          ASSERT_EQ(v["by"][at], by);
          ASSERT_EQ(v["bz"][at], b / (grid.x * grid.y));
          ASSERT_EQ(v["tid"][at], t);
          ASSERT_EQ(v["gid"][at], static_cast<std::int64_t>(at));
          ASSERT_EQ(v["row"][at], y + by * block.y);
          ASSERT_EQ(v["col"][at], x + bx * block.x);
          ASSERT_EQ(v["warp"][at], t / 32);
          ASSERT_EQ(v["lane"][at], t % 32);
        }
      EXPECT_EQ(at, v["x"].size());
    }
}

TEST(LaunchWalk, knows_the_sides_and_the_iteration_and_names_of_ones_own) {
  EXPECT_EQ(values({2, 1, 1}, {1, 1, 1}, "dx + 10*dy + 100*gz + 1000*i + n", "", 7, "n=20000"),
            (std::vector<std::int64_t>{27112, 27112}));
  EXPECT_EQ(values({4, 3, 2}, {7, 6, 5}, "dx*10000 + dy*1000 + dz*100 + gx*10 + gy")[0],
            40000 + 3000 + 200 + 70 + 6);
}

TEST(LaunchWalk, pads_the_last_warp_of_every_block) {
  LaunchWalk walk({40, 1, 1}, {50, 1, 1}, {});
  EXPECT_EQ(walk.warps(), 100);
  EXPECT_EQ(walk.threads(), 2000);
  std::int64_t seen = 0;
  walk.each_warp([&](const WarpView& warp) {
    EXPECT_EQ(warp.block, seen / 2);
    EXPECT_EQ(warp.warp, seen % 2);
    EXPECT_EQ(warp.live, seen % 2 ? 0xffu : 0xffffffffu);
    EXPECT_EQ(warp.active, warp.live);
    ++seen;
  });
  EXPECT_EQ(seen, 100);
}

TEST(LaunchWalk, evaluates_only_where_the_guard_holds_and_a_thread_is) {
  EXPECT_EQ(values({40, 1, 1}, {1, 1, 1}, "120 / tid", "tid > 37 || tid == 5"),
            (std::vector<std::int64_t>{24, 3, 3}));
  EXPECT_EQ(values({33, 1, 1}, {1, 1, 1}, "6 / (33 - tid)")[32], 6) << "lane 1 of warp 1 has no thread";
  EXPECT_EQ(values({33, 1, 1}, {1, 1, 1}, "tid", "1 / (33 - tid)").size(), 1u);
}

TEST(LaunchWalk, a_guard_of_any_number_but_zero_holds) {
  EXPECT_EQ(values({8, 1, 1}, {1, 1, 1}, "tid", "tid & 6"), (std::vector<std::int64_t>{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(values({4, 1, 1}, {1, 1, 1}, "tid", "tid - 1"), (std::vector<std::int64_t>{0, 2, 3}));
}

TEST(LaunchWalk, names_the_thread_where_an_expression_has_no_value) {
  EXPECT_EQ(error_of([] {
              values({16, 1, 1}, {4, 1, 1}, "tid", "n / 8 % (gid - 35)", 0, "n=64");
            }),
            "--if: column 7: division by zero in thread (3,0,0) of block (2,0,0) where n=64");
  EXPECT_EQ(error_of([] {
              values({4, 4, 4}, {3, 3, 3}, "1 / (gid - 64*14 - 39)");
            }),
            "--index: column 3: division by zero in thread (3,1,2) of block (2,1,1)");
  EXPECT_EQ(error_of([] {
              values({4, 1, 1}, {1, 1, 1}, "1 << (i * tid)", "", 40);
            }),
            "--index: column 3: shift by less than 0 or more than 63 bits in thread (2,0,0) of block (0,0,0) "
            "at i = 40");
}

// Warps that are not full stand close together: more than a chunk of them.
TEST(LaunchWalk, names_the_thread_among_many_small_blocks) {
  EXPECT_EQ(error_of([] {
              values({3, 1, 1}, {1000, 1, 1}, "1 / (gid - 2000)");
            }),
            "--index: column 3: division by zero in thread (2,0,0) of block (666,0,0)");
}

TEST(LaunchWalk, a_name_that_expressions_know_already_is_refused) {
  for (const char* name : {"tid", "lane", "warp", "x", "y", "z", "bx", "by", "bz", "dx", "dy", "dz", "gx",
                           "gy", "gz", "row", "col", "gid", "i"})
    EXPECT_EQ(error_of([&] {
                LaunchWalk({1, 1, 1}, {1, 1, 1}, {{{name, 1}}});
              }),
              "--let: '" + std::string(name) + "' is a variable of every expression: choose another name");
  EXPECT_EQ(error_of([&] {
              values({1, 1, 1}, {1, 1, 1}, "rwo < 3");
            }),
            "--index: column 1: unknown name 'rwo' (did you mean 'row'?)");
}

TEST(LaunchWalk, a_launch_that_would_take_all_day_is_refused) {
  EXPECT_EQ(error_of([] {
              LaunchWalk({1024, 1, 1}, {999'999'999, 1, 1}, {});
            }),
            "a launch of 999999999 blocks of 1024 threads: at most 2^32 threads are walked");
  EXPECT_EQ(
      error_of([] {
        LaunchWalk({999'999'999, 999'999'999, 999'999'999}, {999'999'999, 999'999'999, 1}, {});
      }),
      "a launch of 999999999x999999999 blocks of 999999999x999999999x999999999 threads: at most 2^32 threads "
      "are walked");
}

TEST(LaunchWalk, can_be_walked_again_and_from_a_copy) {
  LaunchWalk walk({8, 1, 1}, {1, 1, 1}, {});
  const std::size_t program = walk.add(expression("tid * i"), "--index");
  const auto last = [&](LaunchWalk& w, std::int64_t i) {
    std::int64_t value = -1;
    w.each_warp(i, [&](const WarpView& warp) { value = warp.values(program)[7]; });
    return value;
  };
  EXPECT_EQ(last(walk, 2), 14);
  LaunchWalk copy = walk;
  EXPECT_EQ(last(copy, 3), 21);
  EXPECT_EQ(last(walk, 1), 7);
}

TEST(CheckBlock, the_last_block_that_fits_and_the_first_that_does_not) {
  const Gpu& gpu = gpu_named("h200");
  EXPECT_EQ(error_of([&] { check_block(gpu, {32, 32, 1}); }), "no error");
  EXPECT_EQ(error_of([&] {
              check_block(gpu, {1025, 1, 1});
            }),
            "--block 1025: 1025 threads, but a block of h200 has at most 1024");
  EXPECT_EQ(error_of([&] {
              check_block(gpu_named("gtx280"), {513, 1, 1});
            }),
            "--block 513: 513 threads, but a block of gtx280 has at most 512");
}

} // namespace perfmodel::launch_test
