// A drawing of any shape is laid out so that its texts can be read and nothing leaves the picture.
#include "plots/layout/drawing_layout.hpp"
#include "plots/layout/figure_size.hpp"
#include "plots/output/svg.hpp"
#include "plots/output/theme.hpp"
#include "well_formed.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace perfmodel::plots::drawings_test {

Drawing grid(int columns, int rows, const std::string& text) {
  Drawing d;
  d.title = "A grid", d.verdict = {"What is to be seen."};
  d.kinds = {{"works"}, {"idles", Drawing::Tone::quiet}, {"costs", Drawing::Tone::alarm}};
  d.width = columns, d.height = rows;
  for (int y = 0; y < rows; ++y) {
    d.rows.push_back({y + 0.5, "row " + std::to_string(y)});
    for (int x = 0; x < columns; ++x)
      d.cells.push_back({.left = static_cast<double>(x),
                         .top = static_cast<double>(y),
                         .text = text,
                         .title = "a <cell>",
                         .kind = static_cast<std::size_t>((x + y) % 3)});
  }
  d.arrows.push_back(arrow_down(d.cells.front(), d.cells.back()));
  return d;
}

bool holds(const Size& size, const Rect& r) {
  return r.left >= 0 && r.top >= 0 && r.right <= size.width && r.bottom <= size.height;
}

TEST(DrawingLayout, cells_texts_and_names_stay_inside_the_picture_at_every_size) {
  for (const char* size : {"slide", "column", "960x600", "120mmx80mm"})
    for (const auto& [columns, rows, text] : {std::tuple{32, 6, "528"}, {7, 7, "8"}, {16, 9, "136"}}) {
      const Size px = figure_size(size).layout();
      const Layout l = layout(figure_of(grid(columns, rows, text)), px);
      for (const PlacedBar& bar : l.bars) EXPECT_TRUE(holds(px, bar.rect)) << size << " " << columns;
      for (const Text& label : l.labels)
        EXPECT_TRUE(holds(px, label.box.bounds())) << size << " " << label.text;
      for (const Text& name : l.frame) EXPECT_TRUE(holds(px, name.box.bounds())) << size << " " << name.text;
    }
}

TEST(DrawingLayout, a_text_stays_in_its_cell_and_has_10_px_at_least) {
  for (const int width : {400, 700, 960}) {
    const Layout l = layout(figure_of(grid(16, 4, "136")), {width, 500});
    ASSERT_EQ(l.labels.size(), 64u) << width;
    for (std::size_t i = 0; i < l.labels.size(); ++i) {
      EXPECT_GE(l.labels[i].size, 10);
      const Rect text = l.labels[i].box.bounds();
      EXPECT_TRUE(std::any_of(l.bars.begin(), l.bars.end(), [&](const PlacedBar& bar) {
        return text.left >= bar.rect.left - 0.5 && text.right <= bar.rect.right + 0.5 &&
               text.top >= bar.rect.top - 0.5 && text.bottom <= bar.rect.bottom + 0.5;
      })) << width;
    }
  }
}

TEST(DrawingLayout, texts_without_room_stand_upright_and_then_give_way) {
  const Layout upright = layout(figure_of(grid(32, 4, "528")), {500, 400});
  ASSERT_FALSE(upright.labels.empty());
  EXPECT_EQ(upright.labels.front().angle, -90);
  EXPECT_TRUE(layout(figure_of(grid(100, 4, "528")), {500, 400}).labels.empty());
}

// 32 lanes in a column of a journal. Digits have no tails, and may be larger than words in the same room.
TEST(DrawingLayout, numbers_of_32_lanes_have_6_pt_in_a_column_and_do_not_touch) {
  Drawing d;
  d.kinds = {{"a lane"}};
  d.width = 32, d.height = 2;
  d.rows = {{0.5, "wavefront 4"}};
  for (int lane = 0; lane < 32; ++lane)
    d.cells.push_back({.left = static_cast<double>(lane), .text = std::to_string(lane)});
  const FigureSize column = figure_size("column");
  const Layout l = layout(figure_of(d), column.layout());
  ASSERT_EQ(l.labels.size(), 32u);
  const double pt = column.width.points() / l.size.width;
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_GE(l.labels[i].size * pt, 6);
    if (i > 0) {
      EXPECT_GT(l.labels[i].box.bounds().left - l.labels[i - 1].box.bounds().right, 1);
    }
  }
}

TEST(DrawingLayout, each_column_has_its_name_or_each_second_or_third) {
  Drawing d = grid(32, 2, "");
  for (int x = 0; x < 32; ++x) d.columns.push_back({x + 0.5, std::to_string(x)});
  for (const int width : {400, 500, 700, 960}) {
    std::vector<int> shown;
    for (const Text& text : layout(figure_of(d), {width, 400}).frame)
      if (text.text.find_first_not_of("0123456789") == std::string::npos)
        shown.push_back(std::stoi(text.text));
    ASSERT_GT(shown.size(), 5u) << width;
    for (std::size_t i = 1; i < shown.size(); ++i)
      EXPECT_EQ(shown[i], shown[1] * static_cast<int>(i)) << width;
  }
}

TEST(DrawingLayout, cells_lower_than_can_be_seen_are_refused) {
  EXPECT_THROW(layout(figure_of(grid(4, 200, "1")), {960, 400}), NoRoom);
  EXPECT_NO_THROW(layout(figure_of(grid(4, 100, "1")), natural_size(figure_of(grid(4, 100, "1")))));
}

TEST(DrawingLayout, the_legend_names_the_kinds_that_are_there) {
  Drawing d = grid(3, 1, "");
  d.kinds.push_back({"nobody"});
  d.kinds.push_back({"too short to be seen"});
  d.cells.push_back({.width = 1e-6, .kind = 4});
  const Layout l = layout(figure_of(d), {960, 400});
  ASSERT_EQ(l.samples.size(), 3u);
  EXPECT_EQ(l.samples[0].entry.text, "works");
}

TEST(DrawingLayout, kinds_differ_by_more_than_colour_in_black_and_grey) {
  DrawingFigure figure = figure_of(grid(3, 2, ""));
  figure.monochrome = true;
  figure.drawing.kinds[1] = {"also works"};
  const Layout l = layout(figure, {960, 400});
  EXPECT_EQ(l.bars[0].colour, l.bars[1].colour);
  EXPECT_NE(l.bars[0].strength, l.bars[1].strength);
}

// Grey prints tell a tenth of the way from white to black apart at best.
TEST(DrawingLayout, in_print_any_two_kinds_differ_in_their_stripes_or_by_a_quarter_of_the_way_to_black) {
  DrawingFigure figure = figure_of(grid(9, 1, ""));
  figure.monochrome = true;
  figure.drawing.kinds.clear();
  for (int kind = 0; kind < 8; ++kind) figure.drawing.kinds.push_back({"kind " + std::to_string(kind)});
  figure.drawing.kinds.push_back({"costs", Drawing::Tone::alarm});
  for (std::size_t i = 0; i < 9; ++i) figure.drawing.cells[i].kind = i;
  const Layout l = layout(figure, {960, 400});
  ASSERT_EQ(l.bars.size(), 9u);
  for (std::size_t a = 0; a < 9; ++a)
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_TRUE(l.bars[a].fill != l.bars[b].fill ||
                  std::abs(l.bars[a].strength - l.bars[b].strength) >= 0.25)
          << a << " and " << b;
}

TEST(DrawingLayout, a_text_on_stripes_has_a_halo) {
  DrawingFigure figure = figure_of(grid(3, 2, "8"));
  figure.monochrome = true;
  const Layout l = layout(figure, {960, 400});
  std::size_t halos = 0;
  for (const Text& label : l.labels) halos += label.halo ? 1u : 0u;
  EXPECT_EQ(halos, 2u); // those of what costs
}

TEST(DrawingLayout, a_column_is_as_high_as_the_names_of_all_rows_need) {
  const Size column = figure_size("column").layout();
  const DrawingFigure many = figure_of(grid(4, 40, "")), few = figure_of(grid(4, 4, ""));
  EXPECT_EQ(readable_size(few, column).height, column.height);
  const Size size = readable_size(many, column);
  EXPECT_EQ(size.width, column.width);
  std::size_t names = 0;
  for (const Text& text : layout(many, size).frame) names += text.text.rfind("row ", 0) == 0 ? 1u : 0u;
  EXPECT_EQ(names, 40u);
}

TEST(DrawingLayout, a_column_is_so_high_that_arrows_have_shafts) {
  Drawing d = grid(8, 9, "8");
  for (Drawing::Cell& cell : d.cells) cell.height = 0.8;
  d.arrows = {arrow_down(d.cells[0], d.cells[8])};
  const Size column = figure_size("column").layout();
  const auto shaft = [&](Size size) {
    const Layout l = layout(figure_of(d), size);
    return l.arrows[0].shaft ? length(l.arrows[0].shaft->b - l.arrows[0].shaft->a) : 0;
  };
  EXPECT_LT(shaft(column), 4);
  EXPECT_GE(shaft(readable_size(figure_of(d), column)), 5);
}

TEST(DrawingLayout, a_column_is_so_high_that_upright_texts_fit) {
  const DrawingFigure narrow = figure_of(grid(20, 12, "1365"));
  const Size column = figure_size("column").layout();
  EXPECT_GT(layout(narrow, column).unplaced, 0);
  EXPECT_EQ(layout(narrow, readable_size(narrow, column)).unplaced, 0);
}

// 16 threads that add words 16 apart: the arrows are so flat that all of them would be one grey area.
TEST(DrawingLayout, arrows_side_by_side_can_be_told_apart) {
  Drawing d;
  d.kinds = {{"a word"}};
  d.width = 32, d.height = 12;
  d.rows = {{0.5, "words"}};
  for (int row : {0, 2}) // and room for further steps
    for (int x = 0; x < 32; ++x)
      d.cells.push_back({.left = static_cast<double>(x), .top = static_cast<double>(row), .text = "1"});
  for (std::size_t x = 0; x < 16; ++x) {
    d.arrows.push_back(arrow_down(d.cells[x], d.cells[32 + x]));
    d.arrows.push_back(arrow_down(d.cells[16 + x], d.cells[32 + x]));
  }
  const auto flat = [](const Layout& l) {
    std::vector<Segment> shafts;
    for (const PlacedArrow& arrow : l.arrows)
      if (arrow.shaft && arrow.shaft->a.x - arrow.shaft->b.x > 20) shafts.push_back(*arrow.shaft);
    return shafts;
  };
  for (const char* size : {"column", "slide"}) {
    const Layout l = layout(figure_of(d), figure_size(size).layout());
    const std::vector<Segment> shafts = flat(l);
    ASSERT_GE(shafts.size(), 3u) << size;
    EXPECT_LT(shafts.size(), 16u) << size;
    EXPECT_EQ(l.arrows.size(), 16 + shafts.size()) << size << ": upright ones are not left out";
    EXPECT_TRUE(l.arrows_left_out) << size;
    for (std::size_t i = 1; i < shafts.size(); ++i) {
      const Point way = shafts[i].b - shafts[i].a;
      EXPECT_GE((shafts[i].a.x - shafts[i - 1].a.x) * way.y / length(way), 2.5) << size;
    }
    const double cell = l.bars[1].rect.left - l.bars[0].rect.left;
    EXPECT_NEAR(shafts.back().a.x - shafts.front().a.x, 15 * cell, 2) << size << ": the first and the last";
  }
  const Layout high = layout(figure_of(d), {800, 4000});
  EXPECT_EQ(flat(high).size(), 16u);
  EXPECT_FALSE(high.arrows_left_out);
}

TEST(DrawingLayout, a_scale_ends_where_the_drawing_says) {
  Drawing d = grid(4, 2, "");
  d.across = "time", d.across_unit = unit_of<Seconds>(), d.scale_to = 2;
  const Layout l = layout(figure_of(d), {960, 400});
  const auto scale = std::find_if(l.lines.begin(), l.lines.end(), [](const PlacedLine& line) {
    return line.strokes.front()[0].y == line.strokes.front()[1].y;
  });
  ASSERT_NE(scale, l.lines.end());
  EXPECT_NEAR(scale->strokes.front()[1].x, (l.plot.left + l.plot.right) / 2, 1);
}

TEST(DrawingLayout, is_well_formed_in_every_theme) {
  for (const std::string_view theme : theme_names) {
    const Layout l = layout(figure_of(grid(5, 5, "<1>")), {960, 500});
    EXPECT_EQ(test::malformed(to_svg(l, theme_named(theme))), "");
  }
}

} // namespace perfmodel::plots::drawings_test
