#include "plots/layout/wrap.hpp"

#include "plots/layout/font.hpp"

#include <gtest/gtest.h>

namespace perfmodel::plots::wrap_test {

using Lines = std::vector<std::string>;

constexpr double size = 15;

TEST(Wrap, a_text_that_fits_is_one_line) {
  EXPECT_EQ(balanced("Occupancy (h200)", 400, size), Lines{"Occupancy (h200)"});
}

TEST(Wrap, two_lines_part_at_a_colon_where_each_side_fits) {
  const std::string text = "Latency hiding (m2090): blocks = 1, unroll = 8, operands = 3";
  EXPECT_EQ(wrapped(text, 400, size).back(), "operands = 3");
  EXPECT_EQ(balanced(text, 400, size),
            (Lines{"Latency hiding (m2090):", "blocks = 1, unroll = 8, operands = 3"}));
}

// Filled one after the other, lines would leave "word" alone in the last.
TEST(Wrap, else_lines_are_about_equally_long) {
  const std::string text = "one two three four five six seven eight nine word";
  const double width = text_width(text, size) - 10;
  EXPECT_EQ(wrapped(text, width, size).back(), "word");
  const Lines lines = balanced(text, width, size);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_GT(text_width(lines[1], size), 0.6 * text_width(lines[0], size));
}

TEST(Wrap, no_line_is_wider_than_it_may_be_and_none_is_more) {
  const std::string text =
      "Latency hiding (m2090): blocks = 1, unroll = 8, operands = 3 and 16 777 216 numbers";
  for (double width = 120; width < 800; width += 7) {
    const Lines lines = balanced(text, width, size);
    EXPECT_EQ(lines.size(), wrapped(text, width, size).size()) << width;
    for (const std::string& line : lines) EXPECT_LE(text_width(line, size), width);
  }
}

} // namespace perfmodel::plots::wrap_test
