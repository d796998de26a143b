#include "models/core/shape.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::shape_test {

TEST(Shape, has_one_to_three_sides_and_x_comes_first) {
  EXPECT_EQ(Shape::from_text("256"), (Shape{256, 1, 1}));
  EXPECT_EQ(Shape::from_text("32x8"), (Shape{32, 8, 1}));
  EXPECT_EQ(Shape::from_text("8x4x2"), (Shape{8, 4, 2}));
  EXPECT_EQ(Shape::from_text("8x4x2").count(), 64);
}

TEST(Shape, reads_back_what_it_writes) {
  for (const char* text : {"1", "256", "16x16", "8x8x4", "1x1x64", "1x16"})
    EXPECT_EQ(Shape::from_text(text).text(), text);
  EXPECT_EQ(Shape::from_text("16x1x1").text(), "16");
}

TEST(Shape, refuses_what_is_none_and_says_what_is_expected) {
  for (const char* text :
       {"", "x", "16x", "x16", "16X16", "0", "16x0", "-1", "1.5", "16x16x16x16", "16 x16"}) {
    const std::string sentence = error_of([&] { Shape::from_text(text); });
    EXPECT_NE(sentence.find("such as 16x16"), std::string::npos) << text << ": " << sentence;
  }
}

TEST(Shape, holds_the_largest_grid_and_says_what_is_too_large) {
  EXPECT_EQ(Shape::from_text("2147483647x65535x65535").count(), 9223090559730712575)
      << "sides of the largest grid that there is";
  for (const char* text : {"12345678901", "99999999999999999999", "9999999999x9999999999"})
    EXPECT_EQ(error_of([&] { Shape::from_text(text); }), "'" + std::string(text) + "' is too large a shape");
}

} // namespace perfmodel::shape_test
