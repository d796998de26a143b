#include "charts.hpp"
#include "well_formed.hpp"

#include "plots/output/svg.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <regex>

namespace perfmodel::plots::svg_test {

TEST(Svg, is_well_formed_whatever_is_drawn) {
  for (const auto& [name, svg] : test::all_svgs()) EXPECT_EQ(test::malformed(svg), "") << name;
}

TEST(Svg, holds_no_number_that_is_none) {
  for (const auto& [name, whole] : test::all_svgs()) {
    const std::string svg =
        std::regex_replace(whole, std::regex("<title>[^<]*</title>|>[^<]*<|#[0-9a-fA-F]{6}"), "><");
    EXPECT_FALSE(std::regex_search(svg, std::regex("[\"\\s](-?nan|-?inf)|[0-9]e[0-9+-]"))) << name;
  }
}

TEST(Svg, every_marker_and_roof_has_a_tooltip) {
  const std::string svg = to_svg(test::all_charts()[2].second);
  std::size_t markers = 0, titled = 0;
  for (std::size_t at = 0; (at = svg.find("</title><", at)) != std::string::npos; ++at) ++titled;
  for (const auto& dot : layout(test::all_charts()[2].second).dots) markers += !dot.title.empty();
  EXPECT_EQ(markers, 51u); // 25 points of each sweep and the ridge
  EXPECT_GE(titled, markers);
}

TEST(Svg, a_tooltip_says_the_fraction_of_the_roof) {
  EXPECT_NE(to_svg(test::all_charts()[2].second).find("% of roof"), std::string::npos);
}

TEST(Svg, is_the_same_from_run_to_run_and_in_every_locale) {
  const std::string first = to_svg(test::all_charts()[2].second);
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(to_svg(test::all_charts()[2].second), first);
  std::setlocale(LC_ALL, "C");
}

TEST(Svg, names_from_files_cannot_break_out) {
  const std::string svg = to_svg(test::all_charts()[8].second);
  EXPECT_EQ(svg.find("<v6>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;v6&gt; &amp; &quot;co&quot;"), std::string::npos);
}

TEST(Svg, text_is_upright_and_in_colours_that_can_be_read_on_white) {
  for (const auto& [name, svg] : test::all_svgs()) {
    EXPECT_EQ(svg.find("italic"), std::string::npos);
    const std::regex text("<text [^>]*fill=\"(#[0-9A-Fa-f]+)\"");
    for (std::sregex_iterator i(svg.begin(), svg.end(), text), end; i != end; ++i) {
      const int r = std::stoi((*i)[1].str().substr(1, 2), nullptr, 16),
                g = std::stoi((*i)[1].str().substr(3, 2), nullptr, 16),
                b = std::stoi((*i)[1].str().substr(5, 2), nullptr, 16);
      const auto linear = [](int v) {
        return v <= 10 ? v / 255.0 / 12.92 : std::pow((v / 255.0 + 0.055) / 1.055, 2.4);
      };
      const double luminance = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
      EXPECT_GE(1.05 / (luminance + 0.05), 4.5) << name << ": " << (*i)[1]; // WCAG 2.1, contrast
    }
  }
}

TEST(Svg, pixels_have_at_most_two_decimals) {
  EXPECT_EQ(px(12), "12");
  EXPECT_EQ(px(12.5), "12.5");
  EXPECT_EQ(px(-0.254), "-0.25");
  EXPECT_EQ(px(0.001), "0");
  EXPECT_EQ(px(-0.001), "0");
  EXPECT_EQ(px(1234.06), "1234.06");
}

TEST(Svg, a_picture_too_small_or_an_axis_without_end_is_refused_in_a_sentence) {
  const Chart chart = test::all_charts()[0].second;
  EXPECT_THROW(to_svg(chart, {100, 100}), InputError);
  EXPECT_THROW(to_svg(chart, {100000, 100000}), InputError);
  Chart endless = chart;
  endless.x.high = INFINITY;
  EXPECT_THROW(to_svg(endless), InputError);
}

} // namespace perfmodel::plots::svg_test
