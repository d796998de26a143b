// Figures at a stated size and in each theme: what holds for every chart.
#include "charts.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/chart/monochrome.hpp"
#include "plots/chart/roofline_chart.hpp"
#include "plots/layout/figure_size.hpp"
#include "plots/layout/frame.hpp"
#include "plots/output/svg.hpp"
#include "well_formed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <tuple>

namespace perfmodel::plots::figure_test {

constexpr const char* sizes[] = {"slide", "column", "120mmx80mm", "1280x720", "6x4in"};

double luminance(std::string_view colour) {
  const auto linear = [&](std::size_t at) {
    const double v = std::stoi(std::string(colour.substr(at, 2)), nullptr, 16) / 255.0;
    return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5);
}

double contrast(std::string_view a, std::string_view b) { // WCAG 2.1
  const double one = luminance(a), other = luminance(b);
  return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

Chart dressed(Chart chart, const Theme& theme) {
  chart.caption =
      "h200, blocks 1, unroll 8. Source: perfmodel, its hardware database; a lecture, autumn 2010.";
  return theme.monochrome ? monochrome(std::move(chart)) : chart;
}

// Every chart at every size in every theme, made once.
struct Drawn {
  std::string name, size;
  const Theme& theme;
  Layout layout;
  std::string svg;
};
const std::vector<Drawn>& all_figures() {
  static const auto all = [] {
    std::vector<Drawn> made;
    for (const auto& [name, chart] : test::all_charts())
      for (const char* size : sizes)
        for (const std::string_view theme_name : theme_names) {
          const FigureSize figure = figure_size(size);
          const Theme& theme = theme_named(theme_name);
          Layout l = layout(dressed(chart, theme), figure.layout());
          std::string svg = to_svg(l, theme, figure);
          made.push_back({name + " as " + size + " in " + std::string(theme_name), size, theme, std::move(l),
                          std::move(svg)});
        }
    return made;
  }();
  return all;
}

TEST(Figure, is_well_formed_and_has_the_stated_size) {
  for (const Drawn& d : all_figures()) {
    EXPECT_EQ(test::malformed(d.svg), "") << d.name;
    const FigureSize size = figure_size(d.size);
    EXPECT_NE(d.svg.find(" width=\"" + size.width.text() + "\" height=\"" + size.height.text() + "\""),
              std::string::npos)
        << d.name;
  }
}

TEST(Figure, no_text_leaves_the_picture) {
  for (const Drawn& d : all_figures())
    for (const auto* texts : {&d.layout.frame, &d.layout.labels})
      for (const Text& t : *texts) {
        const Rect box = t.box.bounds();
        EXPECT_TRUE(box.left >= 0 && box.top >= 0 && box.right <= d.layout.size.width &&
                    box.bottom <= d.layout.size.height)
            << d.name << ": " << t.text;
      }
}

TEST(Figure, no_label_touches_another) {
  for (const Drawn& d : all_figures())
    for (std::size_t i = 0; i < d.layout.labels.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_FALSE(intersects(d.layout.labels[i].box, d.layout.labels[j].box))
            << d.name << ": " << d.layout.labels[i].text << ", " << d.layout.labels[j].text;
}

TEST(Figure, text_is_at_least_6_points) {
  for (const char* size : sizes) {
    const FigureSize figure = figure_size(size);
    const double pt = figure.width.points() / figure.layout().width; // of a px of the layout
    EXPECT_GE(note_size * pt, 6) << size;
    EXPECT_GE(label_size * pt, 6.9) << size;
  }
  EXPECT_NEAR(label_size * figure_size("slide").width.points() / figure_size("slide").layout().width, 18,
              0.1);
}

TEST(Figure, text_has_a_contrast_of_4_5_with_its_ground) {
  const std::regex text("<text [^>]*fill=\"(#[0-9A-Fa-f]+)\"");
  for (const Drawn& d : all_figures())
    for (std::sregex_iterator i(d.svg.begin(), d.svg.end(), text), end; i != end; ++i)
      EXPECT_GE(contrast((*i)[1].str(), d.theme.ground), 4.5) << d.name << ": " << (*i)[1];
}

// A halo in the colour of the ground is thin: the region's tint is behind the letters too.
TEST(Figure, text_can_be_read_on_the_tint_of_a_region) {
  for (const std::string_view name : theme_names)
    for (const int tint : {0, 1})
      for (const int colour : {ink, grey, 0, 1})
        EXPECT_GE(contrast(theme_named(name).text(colour), theme_named(name).tint(tint)), 4.5)
            << name << ", " << colour << " on " << tint;
}

TEST(Figure, the_ground_is_the_themes) {
  for (const Drawn& d : all_figures())
    EXPECT_NE(d.svg.find("fill=\"" + std::string(d.theme.ground) + "\"/>"), std::string::npos) << d.name;
}

TEST(Figure, print_is_black_and_grey) {
  const std::regex colour("#([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})\"");
  for (const Drawn& d : all_figures()) {
    if (d.theme.name != "print") continue;
    for (std::sregex_iterator i(d.svg.begin(), d.svg.end(), colour), end; i != end; ++i)
      EXPECT_TRUE((*i)[1] == (*i)[2] && (*i)[2] == (*i)[3]) << d.name << ": " << (*i)[0];
  }
}

// Dash, marker and shade without hue: those of the print theme.
TEST(Figure, print_tells_ten_series_apart_without_colour) {
  const Theme& print = theme_named("print");
  std::set<std::tuple<Dash, std::string_view>> lines;
  for (std::size_t n = 0; n < 10; ++n) lines.emplace(series_dash(n), print.line(series_colour(n)));
  EXPECT_EQ(lines.size(), 10U);
}

TEST(Figure, in_print_each_line_of_a_sweep_has_markers_of_its_own) {
  const Chart chart = monochrome(chart_of(test::curve({1, 2, 4, 8})));
  std::map<int, std::set<Shape>> shapes;
  for (const ChartDot& dot : chart.dots)
    if (dot.shape != Shape::dot) shapes[dot.colour].insert(dot.shape);
  ASSERT_EQ(shapes.size(), 4U);
  std::set<Shape> all;
  for (const auto& [colour, of_series] : shapes) {
    EXPECT_EQ(of_series.size(), 1U) << colour;
    all.insert(of_series.begin(), of_series.end());
  }
  EXPECT_EQ(all.size(), 4U);
  for (const ChartLine& line : chart.lines) {
    ASSERT_TRUE(line.sample);
    EXPECT_EQ(*shapes[line.colour].begin(), line.sample->shape) << "the sample beside the name";
  }
}

TEST(Figure, in_print_bars_of_several_devices_differ_in_fill) {
  const Chart chart =
      monochrome(chart_of(test::lines({{1, "m2090", 640}, {1, "h200", 512}, {1, "k40", 300}})));
  std::set<Fill> fills;
  for (const Bar& bar : chart.bars) fills.insert(bar.fill);
  EXPECT_EQ(fills.size(), 3U);
}

TEST(Figure, devices_differ_in_dash_as_well_as_in_colour) {
  for (const auto& [name, chart] : test::all_charts()) {
    if (name != "five devices") continue;
    std::set<Dash> dashes;
    std::set<int> colours;
    for (const ChartLine& line : chart.lines)
      if (line.bold) dashes.insert(line.dash), colours.insert(line.colour);
    EXPECT_EQ(dashes.size(), 5U);
    EXPECT_EQ(colours.size(), 5U);
  }
}

TEST(Figure, the_roof_is_named_however_narrow_the_picture) {
  for (const Drawn& d : all_figures()) {
    if (d.name.rfind("one device", 0) != 0 && d.name.rfind("many ceilings", 0) != 0 &&
        d.name.rfind("two devices", 0) != 0)
      continue;
    EXPECT_TRUE(std::any_of(d.layout.labels.begin(), d.layout.labels.end(), [](const Text& t) {
      return t.bold && t.text.find("fp32") != std::string::npos;
    })) << d.name;
  }
}

// On an M2090 doubles, and integers, are half as fast as fp32; where labels stand in the plot, the lower of
// two would stand over the line of doubles without FMA, at a quarter.
TEST(Figure, of_two_ceilings_at_one_height_a_column_names_one_and_a_wide_picture_both) {
  test::Machine m = test::m2090();
  m.rates.push_back({"int32", "int32", "spec", 666.1e9});
  m.slopes.push_back({"shared banks", "shared", "spec", 1332e9});
  const Chart chart = roofline_chart(test::roofline({m}));
  const auto named = [&](Size size) {
    const Layout l = layout(chart, size);
    return std::count_if(l.labels.begin(), l.labels.end(),
                         [](const Text& t) { return t.text.find("666.1 G") != std::string::npos; });
  };
  EXPECT_EQ(named(figure_size("column").layout()), 1);
  EXPECT_EQ(named(Size{}), 2);
}

TEST(Figure, categories_are_named_in_full_in_a_column) {
  const Chart chart = chart_of(test::ladder({{"interleaved", 1e9},
                                             {"strided-index", 2e9},
                                             {"sequential", 3e9},
                                             {"first-add", 4e9},
                                             {"unrolled-warp", 5e9},
                                             {"unrolled", 6e9},
                                             {"grid-stride", 7e9},
                                             {"shuffle", 8e9},
                                             {"vector", 9e9}}));
  const Layout l = layout(chart, figure_size("column").layout());
  for (const std::string& name : chart.x.categories)
    EXPECT_TRUE(std::any_of(l.frame.begin(), l.frame.end(), [&](const Text& t) { return t.text == name; }))
        << name;
}

} // namespace perfmodel::plots::figure_test
