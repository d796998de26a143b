// Rooflines of several devices whose roofs lie on one another, and of more than can be told apart.
#include "charts.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/chart/roofline_chart.hpp"
#include "plots/layout/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace perfmodel::plots::many_devices_test {

using namespace test;

Machine named(Machine machine, const std::string& gpu) {
  machine.gpu = gpu;
  return machine;
}

// Eight, of which two have an H200's peak and two an M2090's.
std::vector<Machine> eight() {
  return {m2090(), named(m2090(), "m2090-oem"), h200(), named(h200(), "gh200"), a100(), rtx4090(), b200(),
          c1060()};
}

std::set<std::string> labels_of(const Layout& l) {
  std::set<std::string> texts;
  for (const Text& text : l.labels) texts.insert(text.text);
  return texts;
}

TEST(ManyDevices, each_roof_is_named_once_at_its_end_and_nothing_else_is) {
  const Layout l = layout(roofline_chart(roofline(eight())), {960, 600});
  EXPECT_EQ(l.unplaced, 0);
  const std::set<std::string> labels = labels_of(l);
  EXPECT_EQ(labels.size(), 6u);
  EXPECT_TRUE(labels.contains("m2090, m2090-oem 1.332 Tflop/s")) << *labels.begin();
  EXPECT_TRUE(labels.contains("h200, gh200 66.91 Tflop/s"));
}

TEST(ManyDevices, a_kernel_is_named_once_where_it_is_fastest) {
  std::vector<Machine> machines = eight();
  for (Machine& machine : machines)
    machine.kernels = {{"copy", "fp32", "dram", 1, machine.slopes.front().bandwidth, absent}};
  const Chart chart = roofline_chart(roofline(machines));
  std::vector<double> heights;
  double highest = 0;
  for (const ChartDot& dot : chart.dots) {
    if (dot.at.x == 1) highest = std::max(highest, dot.at.y);
    if (dot.label == "copy") heights.push_back(dot.at.y);
  }
  EXPECT_EQ(heights, std::vector<double>{highest});
  EXPECT_EQ(chart.legend.size(), 1u); // not one of each device
}

TEST(ManyDevices, two_of_one_peak_are_both_named_in_a_narrow_picture) {
  const Chart chart = roofline_chart(roofline({h200(), named(h200(), "gh200")}));
  const Layout narrow = layout(chart, {502, 413});
  EXPECT_TRUE(labels_of(narrow).contains("h200, gh200 66.91 Tflop/s"));
  const auto shared = std::find_if(narrow.labels.begin(), narrow.labels.end(),
                                   [](const Text& t) { return t.text == "h200, gh200 66.91 Tflop/s"; });
  ASSERT_NE(shared, narrow.labels.end());
  EXPECT_EQ(shared->colour, ink); // of neither alone
  const std::set<std::string> wide = labels_of(layout(chart, {1200, 750}));
  EXPECT_TRUE(wide.contains("h200 fp32 66.91 Tflop/s") && wide.contains("gh200 fp32 66.91 Tflop/s"));
}

// Left of its ridge a roof's name would be that of another one's slope.
TEST(ManyDevices, no_roof_is_named_where_it_is_not) {
  const std::vector<Machine> machines = eight();
  const Layout narrow = layout(roofline_chart(roofline(machines)), {502, 413});
  std::size_t named = 0;
  for (const Text& text : narrow.labels)
    for (const PlacedLine& line : narrow.lines)
      if (line.colour == text.colour && text.text.find("flop/s") != std::string::npos &&
          !line.strokes.empty() && line.strokes.back().front().y == line.strokes.back().back().y &&
          std::fabs(line.strokes.back().back().y - text.box.bounds().centre().y) < 20) {
        ++named;
        EXPECT_GT(text.box.bounds().right, line.strokes.back().front().x) << text.text;
      }
  EXPECT_GT(named, 1u);
}

// A slide, and a column of a journal: the names without the rates, several in a row where rows are few.
TEST(ManyDevices, each_of_many_is_named_in_a_narrow_picture_in_the_order_of_the_heights) {
  std::vector<Machine> machines;
  for (int i = 0; i < 29; ++i) {
    machines.push_back(named(m2090(), fmt::format("card-{}", i)));
    for (Rate& flat : machines.back().rates) flat.rate *= std::pow(1.2, i);
  }
  const Chart chart = roofline_chart(roofline(machines));
  constexpr Size slide{693, 390}, column{447, 368};
  EXPECT_EQ(readable_size(chart, slide).height, slide.height);
  EXPECT_GT(layout(chart, column).unplaced, 0) << "has fewer rows than it takes, and grows";
  for (const Size size : {slide, readable_size(chart, column)}) {
    const Layout l = layout(chart, size);
    EXPECT_EQ(l.unplaced, 0) << size.width;
    std::vector<Text> labels = l.labels;
    std::sort(labels.begin(), labels.end(), [](const Text& a, const Text& b) { return a.at.y < b.at.y; });
    std::string names;
    for (const Text& label : labels) {
      names += (names.empty() ? "" : ", ") + label.text;
      EXPECT_LE(label.box.bounds().right, size.width) << label.text;
    }
    std::string expected;
    for (int i = 28; i >= 0; --i) expected += (expected.empty() ? "" : ", ") + fmt::format("card-{}", i);
    EXPECT_EQ(names, expected) << size.width;
    EXPECT_EQ(labels.size() + l.leaders.size(), machines.size()) << "a leader from each line to its name";
  }
}

// A legend of many rows and long notes would leave a strip of a column.
TEST(ManyDevices, a_column_grows_until_its_plot_has_two_fifths_of_the_height_asked_for) {
  constexpr Size column{447, 368};
  const Result r = lines({{32, "", 1e9}, {64, "", 2e9}, {96, "", 3e9}});
  Chart chart = lines_chart(r, {}, r.chart);
  EXPECT_EQ(readable_size(chart, column).height, column.height);
  for (int i = 0; i < 12; ++i)
    chart.legend.push_back({.text = fmt::format("a-card-of-a-long-name-{}", i), .colour = i});
  chart.notes.push_back(
      "With the same numbers: many cards of which each is named in full, at least in three lines, or "
      "nobody knows which of them is meant by a line; and so many are few for a picture.");
  EXPECT_LT(layout(chart, column).plot.height(), 0.35 * column.height);
  const Size higher = readable_size(chart, column);
  EXPECT_GE(layout(chart, higher).plot.height(), 0.4 * column.height);
  EXPECT_LE(higher.height, 2 * column.height);
}

TEST(ManyDevices, a_ridges_name_is_whole_beside_the_line_that_drops_from_it) {
  const Layout l = layout(roofline_chart(roofline({h200(), named(m2090(), "a-card-of-2011")})), {960, 600});
  EXPECT_TRUE(labels_of(l).contains("a-card-of-2011 ridge 7.51 flop/B"));
}

} // namespace perfmodel::plots::many_devices_test
