#include "charts.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/chart/roofline_chart.hpp"
#include "plots/layout/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace perfmodel::plots::labels_test {

// Everything drawn in the plot area that is not a label, as boxes and segments.
struct Marks {
  std::vector<Quad> boxes;
  std::vector<Segment> segments;
};

Marks marks_of(const Layout& l) {
  Marks marks;
  for (const PlacedLine& line : l.lines)
    for (const auto& stroke : line.strokes)
      for (std::size_t i = 0; i + 1 < stroke.size(); ++i)
        marks.segments.push_back({stroke[i], stroke[i + 1]});
  for (const PlacedDot& dot : l.dots) {
    const double r = dot.radius;
    marks.boxes.push_back(quad_of({dot.at.x - r, dot.at.y - r, dot.at.x + r, dot.at.y + r}));
    if (dot.whisker) marks.segments.push_back(*dot.whisker);
    if (dot.dropped) marks.segments.push_back(*dot.dropped);
  }
  for (const PlacedArrow& arrow : l.arrows) {
    for (std::size_t i = 0; i < 3; ++i) marks.segments.push_back({arrow.head[i], arrow.head[(i + 1) % 3]});
    if (arrow.shaft) marks.segments.push_back(*arrow.shaft);
  }
  for (const PlacedBar& bar : l.bars) marks.boxes.push_back(quad_of(bar.rect));
  return marks;
}

void expect_clear(const std::string& chart, const Layout& l) {
  const Marks marks = marks_of(l);
  const Rect picture{0, 0, static_cast<double>(l.size.width), static_cast<double>(l.size.height)};
  for (std::size_t i = 0; i < l.labels.size(); ++i) {
    const Text& label = l.labels[i];
    const std::string what = chart + " at " + std::to_string(l.size.width) + ": label '" + label.text + "'";
    EXPECT_TRUE(inside(label.box, picture)) << what << " leaves the picture";
    for (std::size_t j = 0; j < l.labels.size(); ++j) {
      const std::string other = "'" + l.labels[j].text + "'";
      if (j > i) {
        EXPECT_FALSE(intersects(label.box, l.labels[j].box)) << what << " overlaps " << other;
      }
      if (j != i && l.labels[j].leader) {
        EXPECT_FALSE(intersects(label.box, *l.labels[j].leader))
            << what << " is crossed by the leader of " << other;
      }
    }
    for (const Text& text : l.frame)
      EXPECT_FALSE(intersects(label.box, text.box)) << what << " overlaps '" << text.text << "'";
    const bool is_number = label.text.find_first_not_of("0123456789") == std::string::npos;
    for (const Segment& s : marks.segments) // a number that a note explains may
      EXPECT_TRUE(is_number || !intersects(label.box, s)) << what << " lies on a line";
    for (const Quad& box : marks.boxes) EXPECT_FALSE(intersects(label.box, box)) << what << " lies on a mark";
  }
}

TEST(Labels, never_overlap_one_another_or_a_mark) {
  for (const test::LaidOut& one : test::all_layouts()) expect_clear(one.name, one.layout);
}

TEST(Labels, steps_above_one_another_are_named_in_their_order_in_one_column) {
  const Layout l = layout(roofline_chart(test::roofline({test::upright_ladder(true)})));
  EXPECT_EQ(l.unplaced, 0);
  const auto top = std::find_if(l.labels.begin(), l.labels.end(),
                                [](const Text& t) { return t.text == "vector" && t.leader; });
  ASSERT_NE(top, l.labels.end());
  std::vector<const Text*> column;
  for (const Text& t : l.labels)
    if (t.leader && t.leader->a.x == top->leader->a.x) column.push_back(&t);
  ASSERT_EQ(column.size(), 9u);
  EXPECT_EQ(column.front()->text, "vector") << "of equals, the later step above";
  EXPECT_EQ(column.back()->text, "interleaved");
  for (std::size_t i = 1; i < column.size(); ++i) {
    EXPECT_NEAR(column[i]->box.bounds().left, column[0]->box.bounds().left, 0.02);
    EXPECT_GT(column[i]->at.y, column[i - 1]->at.y);
  }
}

TEST(Labels, texts_around_the_plot_do_not_overlap_one_another) {
  for (const auto& [name, chart] : test::all_charts()) {
    const Layout l = layout(chart);
    for (std::size_t i = 0; i < l.frame.size(); ++i)
      for (std::size_t j = i + 1; j < l.frame.size(); ++j)
        EXPECT_FALSE(intersects(l.frame[i].box, l.frame[j].box))
            << name << ": '" << l.frame[i].text << "' overlaps '" << l.frame[j].text << "'";
  }
}

TEST(Labels, every_ceiling_of_an_h200_is_named_and_nothing_is_left_out) {
  const Layout l = layout(test::all_charts()[1].second);
  EXPECT_EQ(l.unplaced, 0);
  for (const char* name :
       {"fp32, fp64 tensor 66.91 Tflop/s", "tf32 tensor 494.7 Tflop/s", "DRAM pin 4.814 TB/s",
        "L2 read 10.9 TB/s", "memory-bound", "compute-bound", "ridge 13.9 flop/B"})
    EXPECT_TRUE(std::any_of(l.labels.begin(), l.labels.end(), [&](const Text& t) { return t.text == name; }))
        << name;
}

TEST(Labels, a_name_without_room_becomes_a_number_that_a_note_explains) {
  Chart chart;
  chart.x.high = chart.y.high = 1;
  for (int i = 0; i < 30; ++i) {
    ChartDot dot;
    dot.at = {0.5 + 0.001 * i, 0.5}, dot.label = "a rather long name of kernel " + std::to_string(i);
    chart.dots.push_back(dot);
  }
  const Layout l = layout(chart, {500, 300});
  const std::string notes = test::notes_of(l);
  EXPECT_NE(notes.find("1: a rather long name of kernel"), std::string::npos) << notes;
  expect_clear("crowd", l);
}

// Tensor units' rates: nothing in the picture is held against them, and they take half of its height.
TEST(Labels, a_narrow_picture_of_points_leaves_the_ceilings_of_other_precisions_out) {
  test::Machine machine = test::h200();
  machine.kernels = {{"k", "fp32", "dram", 1, 4e12, 3e12}};
  const Chart chart = roofline_chart(test::roofline({machine}));
  const auto highest = [](const Layout& l) {
    double y = 1e9;
    for (const PlacedLine& line : l.lines)
      for (const auto& stroke : line.strokes)
        for (const Point p : stroke) y = std::min(y, p.y - l.plot.top);
    return y / l.plot.height();
  };
  EXPECT_NE(test::notes_of(layout(chart, {693, 390})).find("Not drawn: the ceilings of precisions"),
            std::string::npos);
  EXPECT_LT(highest(layout(chart, {693, 390})), 0.5);
  EXPECT_EQ(test::notes_of(layout(chart, {960, 600})).find("Not drawn"), std::string::npos);
}

TEST(Labels, hundreds_of_names_are_placed_or_counted) {
  Chart chart;
  chart.x.high = chart.y.high = 1;
  for (int i = 0; i < 300; ++i) {
    ChartDot dot;
    dot.at = {(i * 37 % 300) / 300.0, (i * 61 % 300) / 300.0}, dot.label = "k" + std::to_string(i);
    chart.dots.push_back(dot);
  }
  const Layout l = layout(chart);
  EXPECT_GT(l.labels.size(), 100u);
  expect_clear("hundreds", l);
}

// Hundreds in one place find no room, and are given up at some point; who stands alone is named after them,
// too.
TEST(Labels, behind_a_crowd_a_lone_one_is_named) {
  Chart chart;
  chart.x.high = chart.y.high = 1;
  for (int i = 0; i <= 500; ++i) {
    ChartDot dot;
    dot.at = {0.9, 0.2}, dot.label = "k" + std::to_string(i);
    if (i == 500) dot.at = {0.2, 0.8}, dot.label = "alone";
    chart.dots.push_back(dot);
  }
  const Layout l = layout(chart);
  EXPECT_TRUE(std::any_of(l.labels.begin(), l.labels.end(), [](const Text& t) { return t.text == "alone"; }));
  EXPECT_GT(l.unplaced, 300);
}

// "1.332 TB/sfp64" would be read as one. Values above bars stand close, each above its own.
TEST(Labels, a_space_stands_between_two_names_in_one_row) {
  for (const auto& [name, scale, size, l] : test::all_layouts())
    for (std::size_t i = 0; i < l.labels.size(); ++i)
      for (std::size_t j = i + 1; j < l.labels.size(); ++j) {
        const Text &a = l.labels[i], &b = l.labels[j];
        if (!l.bars.empty() || a.angle != 0 || b.angle != 0) continue;
        const Rect one = a.box.bounds(), other = b.box.bounds();
        if (one.bottom <= other.top + 1 || other.bottom <= one.top + 1) continue;
        EXPECT_GT(std::max(one.left - other.right, other.left - one.right), 4)
            << name << " at " << size.width << ": '" << a.text << "' and '" << b.text << "'";
      }
}

TEST(Labels, a_line_that_ends_early_is_named_where_it_ends) {
  for (const auto& [name, chart] : test::all_charts()) {
    if (name != "lines that end early") continue;
    const Layout l = layout(chart);
    EXPECT_EQ(l.labels.size(), 5u);
    EXPECT_EQ(l.unplaced, 0);
    for (const Text& label : l.labels)
      if (label.text != "ilp 1") {
        EXPECT_TRUE(inside(label.box, l.plot)) << label.text;
      }
  }
}

// Of two wide bars the lecture's number lies far above the one, and the value above both.
TEST(Labels, a_value_lies_above_a_marker_that_is_far_above_its_bar) {
  Result r = test::ladder({{"naive", 24e9}, {"tiled", 157e9}});
  r.tables[0].columns.push_back(
      {.name = "of_roof", .cells = std::vector<double>{24.0 / 536.5, 157.0 / 536.5}});
  for (double number = 160e9; number < 190e9; number += 0.5e9) {
    const Result printed = test::ladder({{"naive", 10e9}, {"tiled", number}}, Kind::published);
    const Layout l = layout(chart_of(r, {printed}), {960, 600});
    EXPECT_EQ(l.bars_without_value, 0) << number;
    for (const Text& text : l.labels) EXPECT_EQ(text.angle, 0) << text.text << " at " << number;
  }
}

} // namespace perfmodel::plots::labels_test
