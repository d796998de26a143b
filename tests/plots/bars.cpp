#include "charts.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/chart/palette.hpp"
#include "plots/layout/figure_size.hpp"
#include "plots/layout/ticks.hpp"
#include "plots/output/svg_marks.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

namespace perfmodel::plots::bars_test {

using test::ladder;

TEST(BarsChart, each_rung_is_a_bar_with_its_value) {
  const Result r = ladder({{"naive", 2.083e9}, {"tiled", 62.671e9}});
  const Chart chart = chart_of(r);
  ASSERT_EQ(chart.bars.size(), 2u);
  EXPECT_EQ(chart.x.categories, (std::vector<std::string>{"naive", "tiled"}));
  EXPECT_EQ(chart.bars[1].label, "62.7"); // the axis has the unit
  EXPECT_EQ(chart.bars[1].title, "tiled, 62.67 GB/s");
}

TEST(BarsChart, of_values_fifty_times_apart_stand_on_a_logarithmic_axis_the_least_with_a_height) {
  const Chart near = chart_of(ladder({{"naive", 1e9}, {"tiled", 49e9}}));
  EXPECT_EQ(near.y.scale, Scale::linear);
  const Chart far = chart_of(ladder({{"naive", 1e9}, {"tiled", 50e9}}));
  EXPECT_EQ(far.y.scale, Scale::log10);
  EXPECT_LE(far.y.low, 0.5e9);
  EXPECT_EQ(far.bars[0].label, "1");
  EXPECT_EQ(far.y.label, "bandwidth [GB/s]");
  for (const PlacedBar& bar : layout(far).bars) EXPECT_GT(bar.rect.height(), 10);
}

// "1 000 000" is wider than its bar.
TEST(BarsChart, a_plain_number_of_many_digits_is_told_as_a_power_of_ten) {
  Result r = ladder({{"fft", 512}, {"transpose", 1e6}, {"matmul", 1.25e7}});
  r.tables[0].columns[1].unit = {};
  const Chart chart = chart_of(r);
  EXPECT_EQ(chart.bars[0].label, "512");
  EXPECT_EQ(chart.bars[1].label, "10⁶");
  EXPECT_EQ(chart.bars[2].label, "1.25·10⁷");
}

// A share that looks as large as one ten times larger would tell nothing.
TEST(BarsChart, of_shares_stand_on_a_linear_axis_however_small_one_is) {
  Result r = ladder({{"long scoreboard", 0.58}, {"math pipe throttle", 0.0001}});
  r.tables[0].columns[1].unit = {.symbol = "fraction"};
  EXPECT_EQ(chart_of(r).y.scale, Scale::linear);
}

TEST(BarsChart, what_is_printed_is_not_called_measured) {
  const Result predicted = ladder({{"naive", 2e9}, {"tiled", 60e9}});
  const Chart chart = chart_of(predicted, {ladder({{"tiled", 50e9}}, Kind::published)});
  EXPECT_EQ(chart.legend.back().text, "published");
  EXPECT_EQ(chart.dots[0].title.rfind("published ", 0), 0u) << chart.dots[0].title;
}

TEST(BarsChart, a_measurement_stands_over_the_bar_of_its_rung) {
  const Result predicted = ladder({{"naive", 2e9}, {"tiled", 60e9}});
  const Chart chart = chart_of(predicted, {ladder({{"tiled", 50e9}}, Kind::measured)});
  ASSERT_EQ(chart.dots.size(), 1u);
  EXPECT_DOUBLE_EQ(chart.dots[0].at.x, chart.bars[1].x);
  EXPECT_NE(chart.dots[0].title.find("error +20.0 %"), std::string::npos) << chart.dots[0].title;
}

TEST(BarsChart, a_measured_rung_that_was_not_predicted_gets_a_place) {
  const Chart chart = chart_of(ladder({{"naive", 2e9}}), {ladder({{"extra", 3e9}}, Kind::measured)});
  EXPECT_EQ(chart.x.categories, (std::vector<std::string>{"naive", "extra"}));
}

TEST(BarsChart, a_result_without_a_chart_is_refused_in_a_sentence) {
  Result r = ladder({{"naive", 2e9}});
  r.chart.kind = ChartKind::none;
  EXPECT_THROW(chart_of(r), InputError);
}

TEST(BarsChart, a_sweep_that_swept_nothing_is_shown_as_bars) {
  const Result r = test::lines({{1, "m2090", 640}, {1, "h200", 512}});
  const Chart chart = lines_chart(r, {}, r.chart);
  EXPECT_EQ(chart.bars.size(), 2u);
  EXPECT_TRUE(chart.lines.empty());
}

TEST(BarsChart, thirty_bars_of_a_group_differ_in_colour_or_fill) {
  std::set<std::pair<int, Fill>> bars;
  for (std::size_t n = 0; n < 30; ++n) bars.emplace(series_colour(n), series_fill(n));
  EXPECT_EQ(bars.size(), 30u);
}

TEST(BarsChart, the_legend_shows_the_fill_of_each_bar) {
  std::vector<test::Sample> samples;
  for (int i = 0; i < 8; ++i) samples.push_back({32, "series " + std::to_string(i), 1e9 * (i + 1)});
  const Result r = test::lines(samples);
  const Chart chart = bars_chart(r, {}, r.chart);
  ASSERT_EQ(chart.legend.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(chart.legend[i].colour, chart.bars[i].colour);
    EXPECT_EQ(chart.legend[i].fill, chart.bars[i].fill);
  }
  EXPECT_NE(chart.bars[6].fill, chart.bars[0].fill);
}

// 8 px wide, stripes 7 px apart: they end at the bar's edge.
TEST(BarsChart, stripes_stay_inside_their_bar) {
  PlacedBar bar;
  bar.rect = {10, 10, 18, 40}, bar.fill = Fill::rising;
  std::string out;
  write_bar(out, light_theme(), bar);
  EXPECT_NE(out.find("M17 10L10 17"), std::string::npos) << out;
  EXPECT_NE(out.find("M18 16L10 24"), std::string::npos) << out;
  EXPECT_NE(out.find("M18 37L15 40"), std::string::npos) << out;
}

// Right below a roof, or at the top of a logarithmic axis, is no room above it.
TEST(BarsChart, the_tallest_bar_has_its_value_too) {
  Result r = ladder({{"naive", 2.083e9}, {"tiled", 62.671e9}});
  r.chart.log_y = true;
  for (const Size size : {Size{}, Size{447, 368}}) {
    const Chart chart = chart_of(r);
    const Layout l = layout(chart, size);
    for (const Bar& bar : chart.bars)
      EXPECT_TRUE(
          std::any_of(l.labels.begin(), l.labels.end(), [&](const Text& t) { return t.text == bar.label; }))
          << bar.label << " at " << size.width;
  }
}

// Side by side, bars are narrower than their values, which stand upright above them, each above its own.
TEST(BarsChart, every_bar_of_two_devices_has_its_value_above_it) {
  const std::vector<std::pair<std::string, double>> rungs{
      {"naive", 2.083e9}, {"tiled", 62.671e9}, {"vector", 80e9},  {"shuffle", 71e9},
      {"naive", 9e9},     {"tiled", 262e9},    {"vector", 901e9}, {"shuffle", 771e9}};
  Result r = ladder(rungs);
  std::vector<std::string> gpus(rungs.size(), "m2090");
  std::fill(gpus.begin() + 4, gpus.end(), "h200");
  std::vector<Column>& columns = r.tables[0].columns;
  columns.insert(columns.begin(), Column{.name = "gpu", .role = Role::key, .cells = std::move(gpus)});
  r.chart.series = "gpu";
  r.chart.log_y = true;
  for (const Size size : {Size{960, 540}, Size{447, 368}}) {
    const Chart chart = chart_of(r);
    const Layout l = layout(chart, size);
    ASSERT_EQ(l.bars.size(), 8u);
    EXPECT_EQ(l.bars_without_value, 0) << size.width;
    for (const PlacedBar& bar : l.bars)
      EXPECT_TRUE(std::any_of(l.labels.begin(), l.labels.end(), [&](const Text& t) {
        const Rect box = t.box.bounds();
        return box.centre().x > bar.rect.left && box.centre().x < bar.rect.right &&
               box.bottom <= bar.rect.top && bar.rect.top - box.bottom < 20;
      })) << size.width;
  }
}

// Of a lecture's number beside it the value stands clear, and lies, though it leaves its unit to the axis.
TEST(BarsChart, a_value_lies_where_there_is_room_above_a_marker_and_without_its_unit) {
  Result r = ladder({{"naive", 2e9}, {"tiled", 20e9}, {"padded", 21e9}, {"diagonal", 80e9}});
  r.chart.log_y = true;
  const Result printed = test::ladder({{"padded", 21.3e9}, {"diagonal", 80e9}}, Kind::published);
  for (const Size size : {Size{960, 540}, Size{447, 368}}) {
    const Layout l = layout(chart_of(r, {printed}), size);
    EXPECT_EQ(l.bars_without_value, 0) << size.width;
    for (const Text& text : l.labels) EXPECT_EQ(text.angle, 0) << text.text << " at " << size.width;
  }
}

TEST(BarsChart, of_more_than_four_decades_have_a_prefix_at_each_tick_and_each_value) {
  const Chart chart = chart_of(ladder({{"naive", 1e4}, {"tiled", 1.01e8}}));
  EXPECT_EQ(chart.bars[0].label, "10 kB/s");
  EXPECT_EQ(chart.y.label, "bandwidth");
}

// Nine values in a picture so low that some stand nowhere.
TEST(BarsChart, values_without_room_are_counted_below_the_picture) {
  Result r = ladder({{"a", 1.111e9},
                     {"b", 2.222e9},
                     {"c", 3.333e9},
                     {"d", 4.444e9},
                     {"e", 5.555e9},
                     {"f", 6.666e9},
                     {"g", 7.777e9},
                     {"h", 8.888e9},
                     {"i", 9.999e9}});
  r.tables[0].columns.push_back({.name = "of_roof", .cells = std::vector<double>{}});
  for (int i = 1; i < 10; ++i) append(r.tables[0].columns.back(), 1.111e9 * i / 10e9);
  bool lost = false;
  for (int height = 230; height < 500; height += 10) {
    const Layout l = layout(chart_of(r), {330, height});
    const bool told = std::any_of(l.frame.begin(), l.frame.end(), [](const Text& text) {
      return text.text.find("found no room above the bars") != std::string::npos;
    });
    EXPECT_EQ(told, l.bars_without_value > 0) << height;
    lost = lost || told;
  }
  EXPECT_TRUE(lost);
}

TEST(BarsChart, a_title_is_not_broken_within_a_number) {
  Result r = ladder({{"naive", 1e9}, {"tiled", 2e9}});
  r.title = "A ladder of 57.1 % and of 16 777 216 numbers that move 4.8 TB/s in 12 ms, ranks = 8, n = 16";
  const Chart chart = chart_of(r);
  for (int width = 330; width < 700; width += 7)
    for (const Text& text : layout(chart, {width, 400}).frame) {
      EXPECT_FALSE(text.text.starts_with("%") || text.text.starts_with("777") ||
                   text.text.starts_with("216") || text.text.starts_with("TB/s") ||
                   text.text.starts_with("ms") || text.text.starts_with("=") || text.text.ends_with("="))
          << text.text << " at " << width;
    }
}

// Nine algorithms at one size: their values stand upright above thin bars, below a legend of several lines.
TEST(BarsChart, the_tallest_of_a_group_on_a_logarithmic_axis_has_room_for_its_value) {
  std::vector<test::Sample> samples;
  for (int i = 0; i < 9; ++i)
    samples.push_back({1000, "an algorithm with a name " + std::to_string(i),
                       i == 5   ? 1e7
                       : i == 1 ? 1
                                : 1e6});
  Result r = test::lines(samples);
  for (Column& column : r.tables[0].columns)
    if (column.name == r.chart.y) column.unit = {};
  const Layout l = layout(bars_chart(r, {}, r.chart), figure_size("slide").layout());
  ASSERT_EQ(l.bars.size(), 9u);
  EXPECT_TRUE(std::any_of(l.labels.begin(), l.labels.end(), [](const Text& t) { return t.text == "10⁷"; }));
}

// "100 u" beside "time [s]" would part the prefix from its unit.
TEST(BarsChart, a_tick_of_a_logarithmic_axis_has_prefix_and_unit_together) {
  const auto seconds = [](double longest) {
    Result result = test::ladder({{"a", 33e-6}, {"b", longest}});
    result.tables[0].columns.back().unit = unit_of<Seconds>();
    return chart_of(result, {});
  };
  const Chart many = seconds(5), few = seconds(5e-3);
  EXPECT_EQ(many.y.scale, Scale::log10);
  EXPECT_EQ(many.y.label.find("["), std::string::npos) << many.y.label;
  EXPECT_EQ(tick_text(many.y, 1e-4), "100 us");
  EXPECT_EQ(tick_text(many.y, 1), "1 s");
  EXPECT_NE(few.y.label.find("[us]"), std::string::npos)
      << few.y.label << ": of four decades the axis has it";
  EXPECT_EQ(tick_text(few.y, 1e-4), "100");
}

} // namespace perfmodel::plots::bars_test
