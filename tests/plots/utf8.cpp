#include "plots/layout/utf8.hpp"

#include <gtest/gtest.h>

namespace perfmodel::plots::utf8_test {

TEST(Utf8, characters_with_a_meaning_in_xml_are_escaped) {
  EXPECT_EQ(escape_xml("<a href=\"x\" b='y'> & co"), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt; &amp; co");
}

TEST(Utf8, what_xml_forbids_is_replaced) {
  EXPECT_EQ(escape_xml(std::string("a\0b\x01", 4)), "a\uFFFDb\uFFFD");
  EXPECT_EQ(escape_xml("two\nlines\tand a tab"), "two lines and a tab");
}

TEST(Utf8, bytes_that_are_not_utf8_are_replaced_one_by_one) {
  EXPECT_EQ(escape_xml("\xff\xfe"), "\uFFFD\uFFFD");
  EXPECT_EQ(escape_xml("caf\xe9"), "caf\uFFFD");               // Latin-1
  EXPECT_EQ(escape_xml("\xc0\xaf"), "\uFFFD\uFFFD");           // an overlong slash
  EXPECT_EQ(escape_xml("\xe2\x82"), "\uFFFD\uFFFD");           // cut off
  EXPECT_EQ(escape_xml("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD"); // a surrogate
}

TEST(Utf8, what_is_valid_survives) {
  for (const char* text : {"µ ≤ 3.2×", "漢字", "😀", "Ωmega"}) EXPECT_EQ(escape_xml(text), text);
}

TEST(Utf8, wide_characters_take_two_columns_and_marks_none) {
  EXPECT_EQ(columns_of("abc"), 3);
  EXPECT_EQ(columns_of("漢字"), 4);
  EXPECT_EQ(columns_of("e\u0301"), 1);
}

TEST(Utf8, text_is_cut_to_columns_with_an_ellipsis) {
  EXPECT_EQ(cut_to_columns("reduction", 9), "reduction");
  EXPECT_EQ(cut_to_columns("reduction", 5), "redu…");
  EXPECT_EQ(cut_to_columns("漢字漢字", 5), "漢字…");
  EXPECT_EQ(cut_to_columns("ab", 0), "");
}

} // namespace perfmodel::plots::utf8_test
