#include "plots/layout/font.hpp"

#include <gtest/gtest.h>

namespace perfmodel::plots::font_test {

// DejaVuSans.ttf 2.37, table hmtx: A 1401, space 651; DejaVuSans-Bold.ttf: A 1585.
TEST(Font, widths_are_those_of_the_font_file) {
  EXPECT_DOUBLE_EQ(text_width("A", 2048), 1401);
  EXPECT_DOUBLE_EQ(text_width("A A", 2048), 1401 + 651 + 1401);
  EXPECT_DOUBLE_EQ(text_width("A", 2048, true), 1585);
  EXPECT_DOUBLE_EQ(text_width("", 13), 0);
}

TEST(Font, characters_the_font_lacks_count_as_a_full_em_or_more) {
  EXPECT_GE(text_width("漢", 13), 13);
  EXPECT_GE(text_width("\xff", 13), 13);
}

TEST(Font, a_cut_text_fits_and_ends_in_an_ellipsis) {
  const std::string name(300, 'W');
  for (const double width : {20.0, 50.0, 170.0}) {
    const std::string cut = cut_to_width(name, width, 13);
    EXPECT_LE(text_width(cut, 13), width);
    EXPECT_EQ(cut.substr(cut.size() - 3), "…");
  }
  EXPECT_EQ(cut_to_width("short", 170, 13), "short");
}

} // namespace perfmodel::plots::font_test
