#include "models/ladders/reduction_order.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

namespace perfmodel::reduction_order_test {

RungInstead run(const char* version, const char* change, double microseconds, double gain) {
  return {version, change, Seconds(microseconds * 1e-6), gain};
}

// By hand: 12 us; 6 us after the step, of which conflicts are 1; before it there are none to mend.
TEST(ReductionOrder, a_fix_gains_where_what_it_mends_is_there) {
  const auto orders =
      reduction_orders({run("a", "no bank conflicts", 12, 1), run("a", "barriers cost nothing", 10, 1.2),
                        run("a", "all loads hit L2", 6, 2), run("b", "no bank conflicts", 5, 1.2),
                        run("b", "barriers cost nothing", 5, 1.2), run("b", "all loads hit L2", 6, 1)});
  ASSERT_EQ(orders.size(), 2u) << "barriers gain as much before as after, and L2 is no fix of a kernel";
  EXPECT_EQ(orders[0].version, "a");
  EXPECT_EQ(orders[0].first, "b");
  EXPECT_EQ(orders[0].second, "no bank conflicts");
  EXPECT_DOUBLE_EQ(orders[0].before.value, 12e-6);
  EXPECT_DOUBLE_EQ(orders[0].first_gain, 2);
  EXPECT_DOUBLE_EQ(orders[0].second_gain, 1.2);
  EXPECT_EQ(orders[1].first, "no bank conflicts");
  EXPECT_EQ(orders[1].second, "b");
  EXPECT_DOUBLE_EQ(orders[1].first_gain, 1);
  EXPECT_DOUBLE_EQ(orders[1].second_gain, 2.4);
  for (const ReductionOrder& order : orders) EXPECT_DOUBLE_EQ(order.after.value, 5e-6);
  EXPECT_TRUE(reduction_orders({run("a", "no bank conflicts", 12, 1.3)}).empty()) << "nothing comes next";
}

// R. Vuduc, slides 69 to 77: threads that do not part bring the conflicts that sequential addressing mends.
TEST(ReductionOrder, conflicts_cannot_be_mended_before_divergence_is) {
  const Result r = ask("reduction", measured_gpu("h200"), {{"n", "1048576"}, {"view", "what-if"}});
  const Table& orders = table_of(r, "order of the fixes");
  bool seen = false;
  for (std::size_t row = 0; row < orders.rows(); ++row) {
    if (orders.at("version").text(row) != "interleaved" ||
        orders.at("second_fix").text(row) != "no bank conflicts")
      continue;
    seen = true;
    EXPECT_EQ(orders.at("first_fix").text(row), "strided-index");
    EXPECT_GT(orders.at("second_gain").number(row), 1.1);
    EXPECT_EQ(orders.at("first_fix").text(row + 1), "no bank conflicts");
    EXPECT_NEAR(orders.at("first_gain").number(row + 1), 1, 0.01);
    EXPECT_NEAR(orders.at("first_gain").number(row) * orders.at("second_gain").number(row),
                orders.at("first_gain").number(row + 1) * orders.at("second_gain").number(row + 1), 1e-9);
  }
  EXPECT_TRUE(seen);
}

TEST(ReductionOrder, one_version_alone_and_the_summary_have_none) {
  for (const Words& words : {Words{{"version", "sequential"}, {"view", "what-if"}}, Words{}}) {
    Words small = words;
    small.emplace_back("n", "65536");
    for (const Table& table : ask("reduction", gpu_named("h200"), small).tables)
      EXPECT_NE(table.title, "order of the fixes");
  }
}

} // namespace perfmodel::reduction_order_test
