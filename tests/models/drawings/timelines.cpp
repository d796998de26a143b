// Drawings of blocks and warps over time hold what the view of the launch says.
#include "drawn.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace perfmodel::timeline_drawings_test {

using namespace drawn_for_tests;

TEST(Drawings, a_version_of_a_ladder_has_the_timeline_of_its_view) {
  const Words options{{"view", "timeline"}, {"version", "sequential"}, {"n", "65536"}};
  const Drawing d = drawn("reduction", "timeline", "h200", options);
  const Result result = ask("reduction", gpu_named("h200"), options);
  const auto strips = std::find_if(result.tables.begin(), result.tables.end(),
                                   [](const Table& t) { return t.title == "an SM over time"; });
  ASSERT_NE(strips, result.tables.end());
  ASSERT_EQ(d.rows.size(), strips->rows());
  EXPECT_NE(d.title.find("reduction sequential"), std::string::npos) << d.title;
  EXPECT_THROW(drawn("reduction", "timeline", "h200", {{"n", "65536"}}), InputError) << "of which version";
}

TEST(Drawings, a_timeline_covers_every_block_and_warp_of_the_view) {
  const Words options{{"view", "timeline"}, {"grid", "2048"}};
  const Drawing d = drawn("kernel", "timeline", "m2090", options);
  const Result result = ask("kernel", gpu_named("m2090"), options);
  const auto strips = std::find_if(result.tables.begin(), result.tables.end(),
                                   [](const Table& t) { return t.title == "an SM over time"; });
  ASSERT_NE(strips, result.tables.end());
  ASSERT_EQ(d.rows.size(), strips->rows());
  for (std::size_t row = 0; row < strips->rows(); ++row)
    EXPECT_EQ(d.rows[row].text, strips->at("of").text(row));
}

} // namespace perfmodel::timeline_drawings_test
