#include "charts.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/chart/roofline_chart.hpp"
#include "plots/layout/utf8.hpp"
#include "plots/output/ascii.hpp"
#include "plots/output/braille.hpp"
#include "plots/output/terminal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>

namespace perfmodel::plots::terminal_test {

TEST(Terminal, no_line_is_wider_than_the_terminal) {
  for (const auto& [name, chart] : test::all_charts())
    for (const int columns : {40, 80, 100}) {
      std::istringstream lines(to_terminal(chart, columns));
      for (std::string line; std::getline(lines, line);)
        EXPECT_LE(columns_of(line), columns) << name << ": " << line;
    }
}

TEST(Terminal, there_is_no_colour_unless_asked_for) {
  const Chart chart = test::all_charts()[2].second;
  EXPECT_EQ(to_terminal(chart, 80).find('\033'), std::string::npos);
  const std::string colourful = to_terminal(chart, 80, true);
  EXPECT_NE(colourful.find('\033'), std::string::npos);
  EXPECT_EQ(std::regex_replace(colourful, std::regex("\033\\[[0-9;]*m"), ""), to_terminal(chart, 80));
}

TEST(Terminal, axes_have_ticks_and_every_line_its_letter_in_the_legend) {
  const std::string text = to_terminal(test::all_charts()[0].second, 80);
  for (const char* part : {"1/16", "1024", "Performance [Gflop/s]", "bytes counted at DRAM",
                           "fp32 1.332 Tflop/s", "DRAM pin 177.4 GB/s", "ridge 7.51 flop/B"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Terminal, a_warning_is_an_exclamation_mark) {
  for (const auto& [name, chart] : test::all_charts())
    if (name == "odd kernels") {
      EXPECT_NE(to_terminal(chart, 80).find("! above its roof"), std::string::npos);
    }
}

TEST(Terminal, in_ascii_every_byte_is_ascii_and_the_shape_is_the_same) {
  for (const auto& [name, chart] : test::all_charts())
    for (const int columns : {40, 80, 100})
      for (const bool colour : {false, true}) {
        const std::string text = to_terminal(chart, columns, colour, Charset::ascii);
        for (const char c : text)
          ASSERT_TRUE(c == '\n' || (c == '\033' && colour) || (c >= ' ' && c <= '~')) << name << "\n" << text;
        if (colour) continue;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
          EXPECT_LE(line.size(), static_cast<std::size_t>(columns)) << name << ": " << line;
      }
}

TEST(Terminal, bars_of_several_colours_have_letters_that_the_legend_explains) {
  Chart chart;
  chart.x = {.label = "version", .scale = Scale::category, .low = -0.5, .high = 1.5};
  chart.x.categories = {"one", "two"};
  chart.y = {.label = "rate", .low = 0, .high = 4};
  chart.bars = {{.x = -0.2, .width = 0.4, .value = 3, .colour = 0},
                {.x = 0.8, .width = 0.4, .value = 2, .colour = 1}};
  chart.legend = {{.text = "h200", .colour = 0, .bar = true}, {.text = "m2090", .colour = 1, .bar = true}};
  const std::string two = to_terminal(chart, 60);
  EXPECT_NE(two.find("a h200"), std::string::npos) << two;
  EXPECT_NE(two.find("b m2090"), std::string::npos) << two;
  EXPECT_TRUE(std::regex_search(two, std::regex("(┤|│)[^\n]*⣿a⣿|[⣀⣤⣶]a[⣀⣤⣶]"))) << "in a bar\n" << two;
  chart.bars.pop_back(), chart.legend.pop_back();
  EXPECT_NE(to_terminal(chart, 60).find("█ h200"), std::string::npos) << "one needs none";
}

// "o" marks a ridge.
TEST(Terminal, no_line_has_the_letter_of_a_marker) {
  std::vector<test::Machine> machines;
  for (int i = 0; i < 29; ++i) {
    machines.push_back(test::m2090());
    machines.back().gpu = "card-" + std::to_string(i);
    for (test::Rate& rate : machines.back().rates) rate.rate *= std::pow(1.2, i);
  }
  const std::string text = to_terminal(roofline_chart(test::roofline(machines)), 80);
  for (int i = 0; i < 29; ++i)
    EXPECT_NE(text.find(" card-" + std::to_string(i) + " "), std::string::npos) << i;
  EXPECT_EQ(text.find(" o card-"), std::string::npos) << text;
}

TEST(Terminal, ascii_spells_powers_and_prefixes) {
  EXPECT_EQ(ascii_words("10⁷"), "10^7");
  EXPECT_EQ(ascii_words("2⁻²⁰ flop/B"), "2^-20 flop/B");
  EXPECT_EQ(ascii_words("2.5·10⁹ µs"), "2.5*10^9 us");
  EXPECT_EQ(ascii_words("Größe 漢"), "Gr??e ?");
}

TEST(Terminal, ascii_draws_lines_as_strokes_and_bars_as_blocks) {
  EXPECT_EQ(ascii_drawing("⠁⠒⣀⡇⣿"), "'-_|#");
  EXPECT_EQ(ascii_drawing("⡠⠊"), "//");
  EXPECT_EQ(ascii_drawing("⠑⢄"), "\\\\");
  EXPECT_EQ(ascii_drawing("└─┬ █ \033[0m"), "+-+ # \033[0m");
}

TEST(Terminal, what_is_not_known_is_dotted_and_half_open) {
  test::Machine m = test::h200();
  m.kernels = {{"k", "fp32", "dram", 1, 4.8e12, absent, absent, absent, "", 2e12}};
  const Chart chart = roofline_chart(test::graded(test::roofline({m}), {"inherited"}));
  const std::string text = to_terminal(chart, 80);
  EXPECT_NE(text.find("◐ ridge"), std::string::npos) << text;
  EXPECT_NE(text.find("inherited cost: dotted"), std::string::npos) << text;
  EXPECT_NE(to_terminal(chart, 80, false, Charset::ascii).find("% ridge"), std::string::npos);
  const std::string bars =
      to_terminal(chart_of(test::graded(test::ladder({{"a", 1e9}, {"b", 1e9}}), {"known", "assumed"})), 80);
  EXPECT_NE(bars.find("⣿"), std::string::npos) << bars;
  EXPECT_NE(bars.find("⠉⠉"), std::string::npos) << bars;
}

TEST(Terminal, a_line_of_few_dots_keeps_its_rhythm_over_all_its_points) {
  Braille canvas(4, 1);
  int start = 0;
  for (int x = 0; x < 7; ++x) start = canvas.line(x, 0, x + 1, 0, 0, 1, 3, start);
  EXPECT_EQ(canvas.row(0, false), "⠁ ⠁"); // dots 0 and 4 of 8
}

TEST(Braille, a_dot_sets_the_bit_of_its_place) {
  Braille canvas(2, 1);
  canvas.dot(0, 0, 0);
  canvas.dot(3, 3, 0);
  EXPECT_EQ(canvas.row(0, false), "⠁⢀");
}

TEST(Braille, dots_outside_are_ignored_and_characters_stand_over_dots) {
  Braille canvas(1, 1);
  canvas.dot(-1, 0, 0);
  canvas.dot(2, 0, 0);
  EXPECT_EQ(canvas.row(0, false), "");
  canvas.line(0, 0, 0, 3, 0, 1, 0);
  EXPECT_EQ(canvas.row(0, false), "⡇");
  canvas.put(0, 0, U'a', 32);
  EXPECT_EQ(canvas.row(0, false), "a");
  EXPECT_EQ(canvas.row(0, true), "\033[38;5;32ma\033[0m");
}

} // namespace perfmodel::plots::terminal_test
