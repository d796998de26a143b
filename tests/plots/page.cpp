// What stands around a plot: how close the texts of its ticks come, how much room the legend takes.
#include "charts.hpp"

#include "plots/layout/font.hpp"
#include "plots/layout/layout.hpp"
#include "plots/layout/ticks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::plots::page_test {

constexpr double size = 13; // px of a tick's text

Chart on_axis(Scale scale, double low, double high) {
  Chart chart;
  chart.x.scale = scale, chart.x.low = low, chart.x.high = high;
  chart.y.high = 1;
  return chart;
}

double least_gap(const std::vector<PlacedTick>& ticks) {
  double least = 1e9;
  for (std::size_t i = 1; i < ticks.size(); ++i)
    least = std::min(least, std::fabs(ticks[i].at - ticks[i - 1].at) -
                                (text_width(ticks[i].text, size) + text_width(ticks[i - 1].text, size)) / 2);
  return least;
}

TEST(Page, texts_of_neighbouring_ticks_are_8_px_apart) {
  for (const auto& [name, x_scale, s, l] : test::all_layouts())
    if (x_scale != Scale::category && l.x_ticks.size() > 3) {
      EXPECT_GE(least_gap(l.x_ticks), 8) << name << " at " << s.width;
    }
}

// As the picture widens a denser set of ticks comes as soon as its texts are 8 px apart, and not before.
TEST(Page, as_many_ticks_stand_on_an_axis_as_are_8_px_apart) {
  bool just_allowed = false, just_refused = false;
  for (int width = 400; width < 1400; width += 3) {
    const Chart chart = on_axis(Scale::linear, 0, 1e6);
    const Layout l = layout(chart, {width, 400});
    const double gap = least_gap(l.x_ticks);
    ASSERT_GT(l.x_ticks.size(), 3u);
    EXPECT_GE(gap, 8) << width;
    just_allowed |= gap < 9;
    double next = absent; // of the least denser set
    for (int most = static_cast<int>(l.x_ticks.size()) + 1; most <= static_cast<int>(l.plot.width() / 36);
         ++most) {
      std::vector<PlacedTick> more;
      for (const Tick& t : ticks_of(chart.x, most))
        more.push_back({l.plot.left + position_on(chart.x, t.value) * l.plot.width(), t.text});
      if (more.size() > l.x_ticks.size() && std::isnan(next)) next = least_gap(more);
    }
    if (std::isnan(next)) continue;
    EXPECT_LT(next, 8.02) << width; // positions are rounded to hundredths
    just_refused |= next > 7;
  }
  EXPECT_TRUE(just_allowed && just_refused) << "no width here tells 8 px from 7 or 9";
}

TEST(Page, a_categorys_name_keeps_8_px_to_the_next) {
  Chart chart = on_axis(Scale::category, -0.5, 8.5);
  for (int i = 0; i < 9; ++i) chart.x.categories.push_back("m m m m m m m m m m m" + std::to_string(i));
  const Layout full = layout(chart);
  const double slot = full.plot.width() / 9;
  double widest = 0;
  for (const Text& t : full.frame)
    if (t.text.rfind("m m", 0) == 0) {
      const double width = t.box.bounds().width();
      EXPECT_LE(width, slot - 8 + 0.01);
      widest = std::max(widest, width);
    }
  EXPECT_GT(widest, slot - 8 - text_width(" m", size)) << "one word more would have had room";
}

TEST(Page, texts_of_the_y_axis_are_a_line_apart) {
  for (const auto& [name, x_scale, s, l] : test::all_layouts())
    for (std::size_t i = 1; i < l.y_ticks.size(); ++i)
      EXPECT_GE(std::fabs(l.y_ticks[i].at - l.y_ticks[i - 1].at), size * 1.25) << name << " at " << s.width;
}

TEST(Page, a_long_legend_leaves_the_plot_its_room_and_counts_the_rest) {
  Chart chart = on_axis(Scale::linear, 0, 1);
  for (int i = 0; i < 1000; ++i)
    chart.legend.push_back({.text = "a device of the year " + std::to_string(i), .marker = true});
  const Layout l = layout(chart);
  EXPECT_GT(l.plot.height(), 300);
  std::string last;
  for (const Text& t : l.frame)
    if (t.text.rfind("and ", 0) == 0) last = t.text;
  EXPECT_EQ(last, "and " + std::to_string(1000 - l.samples.size()) + " more");
}

TEST(Page, of_a_million_categories_as_many_are_named_as_have_room) {
  Chart chart = on_axis(Scale::category, -0.5, 999'999.5);
  for (int i = 0; i < 1'000'000; ++i) chart.x.categories.push_back("c" + std::to_string(i));
  const Layout l = layout(chart);
  EXPECT_GT(l.x_ticks.size(), 10u);
  EXPECT_LT(l.x_ticks.size(), 30u);
}

TEST(Page, the_name_of_a_low_y_axis_stays_clear_of_the_legend) {
  Chart chart = on_axis(Scale::category, -0.5, 27.5);
  chart.title = "Best efficiency", chart.y.label = "best efficiency [flop/J]";
  chart.legend = {{.text = "inherited cost", .bar = true}, {.text = "assumed cost", .bar = true}};
  for (int i = 0; i < 28; ++i) chart.x.categories.push_back("gtx260-" + std::to_string(100 + i));
  for (int height = 250; height < 500; height += 10) {
    const Layout l = layout(chart, {480, height});
    const auto shown = [&](const char* start) {
      return std::find_if(l.frame.begin(), l.frame.end(),
                          [&](const Text& t) { return t.text.starts_with(start); });
    };
    const auto name = shown("best eff"), key = shown("inherited");
    ASSERT_TRUE(name != l.frame.end() && key != l.frame.end());
    EXPECT_GT(name->box.bounds().top, key->box.bounds().bottom) << height;
    EXPECT_LT(name->box.bounds().bottom, height) << height;
    for (const Text& t : l.frame)
      if (&t != &*name) {
        EXPECT_FALSE(intersects(t.box, name->box)) << t.text;
      }
  }
}

// Bold letters are wider: by how much differs from letter to letter.
TEST(Page, a_long_title_is_broken_and_no_line_of_it_is_cut_off) {
  Chart chart = on_axis(Scale::linear, 0, 1);
  chart.title = "What millimetre memory allows: minimum, mean and maximum bandwidth of MMMM WWWW mmmm wwww "
                "MWMW mwmw over intensity, by warps, memories and machines";
  for (int width = 320; width < 1000; width += 10) {
    std::string whole;
    for (const Text& t : layout(chart, {width, 500}).frame) {
      if (!t.bold) continue;
      whole += (whole.empty() ? "" : " ") + t.text;
      EXPECT_LE(t.at.x + text_width(t.text, t.size, true), width - 15.9) << t.text;
    }
    EXPECT_EQ(whole, chart.title) << width;
  }
}

} // namespace perfmodel::plots::page_test
