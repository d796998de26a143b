// Names below bars: upright, aslant, broken or side by side.
#include "charts.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/layout/figure_size.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

namespace perfmodel::plots::bar_names_test {

using test::ladder;

// All GPUs of the database in a column of a journal.
TEST(BarNames, that_stand_upright_side_by_side_do_not_touch) {
  std::vector<std::pair<std::string, double>> gpus;
  for (int i = 0; i < 29; ++i) gpus.emplace_back(fmt::format("gpu{}", 100 + i), 1e9 * (i + 1));
  const Layout l = layout(chart_of(ladder(gpus)), figure_size("column").layout());
  std::vector<Text> names;
  for (const Text& text : l.frame)
    if (text.text.rfind("gpu", 0) == 0) names.push_back(text);
  ASSERT_EQ(names.size(), gpus.size());
  for (std::size_t i = 1; i < names.size(); ++i) {
    EXPECT_EQ(names[i].angle, -90);
    EXPECT_GE(names[i].at.x - names[i - 1].at.x, 1.05 * names[i].size); // ascender and tail
    EXPECT_GE(names[i].size, 9.3) << "5 pt of a column";
  }
}

// The room that the y axis takes is known late: names that are guessed to stand upright may stand aslant.
TEST(BarNames, the_name_of_the_axis_stands_right_below_the_names) {
  for (int n = 10; n < 30; ++n) {
    std::vector<std::pair<std::string, double>> units;
    for (int i = 0; i < n; ++i) units.emplace_back(fmt::format("a unit of {}", i), i == 0 ? 1 : 0.5);
    Result r = ladder(units);
    r.tables[0].columns[1].unit = {.symbol = "fraction"};
    const Layout l = layout(chart_of(r), {447, 369});
    double names = 0, label = 0;
    for (const Text& text : l.frame) {
      if (text.text.rfind("a unit", 0) == 0) names = std::max(names, text.box.bounds().bottom);
      if (text.text == r.chart.x) label = text.box.bounds().top;
    }
    EXPECT_GT(label, names - 3) << n;
    EXPECT_LT(label, names + 30) << n;
    EXPECT_LE(label, 369) << n;
  }
}

TEST(BarNames, aslant_are_whole_at_the_left_edge_too) {
  std::vector<std::pair<std::string, double>> units{{"shared memory and L1", 0.9},
                                                    {"launches of blocks", 0.8}};
  for (int i = 2; i < 12; ++i) units.emplace_back("a unit with a name", 0.1);
  for (std::size_t i = 2; i < units.size(); ++i) units[i].first += " " + std::to_string(i);
  for (const int width : {400, 447, 600, 800}) {
    const Layout l = layout(chart_of(ladder(units)), {width, 400});
    for (const Text& text : l.frame) EXPECT_EQ(text.text.find("…"), std::string::npos) << text.text << width;
  }
}

TEST(BarNames, short_ones_lie) {
  std::vector<std::pair<std::string, double>> strides;
  for (const char* stride : {"1", "2", "3", "4", "8", "16", "17", "32", "33"})
    strides.emplace_back(stride, 1e9);
  const Layout l = layout(chart_of(ladder(strides)), {413, 340});
  const auto name =
      std::find_if(l.frame.begin(), l.frame.end(), [](const Text& text) { return text.text == "16"; });
  ASSERT_NE(name, l.frame.end());
  EXPECT_EQ(name->angle, 0);
}

TEST(BarNames, none_is_cut_where_it_has_room_aslant) {
  std::vector<std::pair<std::string, double>> rungs;
  for (const char* name : {"L1", "device memory", "schedulers of an SM", "alu+fmaheavy+fmalite",
                           "constant cache", "stores to L2", "issue slots", "special registers", "L2",
                           "memory port", "shared memory and L1", "fmaheavy pipe", "alu pipe"})
    rungs.emplace_back(name, 1 + static_cast<double>(rungs.size()));
  Result result = ladder(rungs);
  for (const Text& text : layout(chart_of(result, {}), {960, 600}).frame)
    EXPECT_EQ(text.text.find("…"), std::string::npos) << text.text;
}

TEST(BarNames, a_name_that_is_too_wide_is_broken_at_its_hyphen) {
  const Layout l = layout(chart_of(ladder({{"interleaved", 1e9},
                                           {"unrolled-warp", 2e9},
                                           {"first-add", 3e9},
                                           {"strided-index", 3e9},
                                           {"sequential", 3e9},
                                           {"grid-stride", 3e9},
                                           {"shuffle", 3e9},
                                           {"vector", 3e9},
                                           {"naive", 3e9}})));
  std::set<std::string> names;
  for (const Text& text : l.frame) names.insert(text.text);
  EXPECT_TRUE(names.contains("unrolled-") && names.contains("warp"));
  EXPECT_TRUE(names.contains("first-add"));
}

} // namespace perfmodel::plots::bar_names_test
