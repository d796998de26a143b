#include "models/core/utf8.hpp"

#include "models/core/error.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace perfmodel::utf8_test {

std::vector<char32_t> characters(std::string_view text) {
  std::vector<char32_t> all;
  for (std::size_t at = 0; at < text.size();) all.push_back(next_character(text, at));
  return all;
}

// The Unicode Standard 15.0, table 3-7: the first and the last of each row.
TEST(Utf8, well_formed_sequences_are_read) {
  using C = std::vector<char32_t>;
  EXPECT_EQ(characters("\x01\x7F"), (C{1, 0x7F}));
  EXPECT_EQ(characters("\xC2\x80\xDF\xBF"), (C{0x80, 0x7FF}));
  EXPECT_EQ(characters("\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF"),
            (C{0x800, 0xD7FF, 0xE000, 0xFFFF}));
  EXPECT_EQ(characters("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"), (C{0x10000, 0x10FFFF}));
}

TEST(Utf8, what_is_none_is_told_byte_by_byte) {
  for (const char* text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xE0\x80\x80", "\xE2\x82", "\xED\xA0\x80",
        "\xED\xBF\xBF", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    const std::size_t size = std::string_view(text).size();
    EXPECT_EQ(characters(text), std::vector<char32_t>(size, no_character)) << size;
  }
  EXPECT_EQ(characters("\xE2\x82"
                       "a"),
            (std::vector<char32_t>{no_character, no_character, U'a'}));
}

TEST(Printable, what_people_write_stays) {
  for (const char* text :
       {"", "naive, n = 1024", "µ-Kern größer 10 %", "カーネル", "✓ 🚀", "a~b\\c\"d\"", "e\xCC\x81"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable_lines(text), text);
  }
}

TEST(Printable, what_a_terminal_obeys_goes) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a?[31mb");
  EXPECT_EQ(printable("a\x1b]0;title\x07"
                      "b"),
            "a?]0;title?b");
  EXPECT_EQ(printable("a\xC2\x9B"
                      "31mb"),
            "a?31mb")
      << "C1: the 8-bit CSI";
  EXPECT_EQ(printable("a\x9B"
                      "31mb"),
            "a?31mb")
      << "the same byte alone, which is no UTF-8";
  EXPECT_EQ(printable(std::string_view("\0\x7F\b", 3)), "?"
                                                        "?"
                                                        "?");
  EXPECT_EQ(printable("a\nb\rc\td"), "a b c d");
  EXPECT_EQ(printable_lines("a\nb\rc\td\n"), "a\nb c d\n");
}

TEST(Printable, what_turns_text_round_goes) {
  EXPECT_EQ(printable("h200\xE2\x80\xAE"
                      "001a"),
            "h200?001a")
      << "U+202E, right-to-left override";
  EXPECT_EQ(printable("\xE2\x81\xA6x\xE2\x81\xA9"), "?x?") << "isolates";
}

// Whatever the bytes, what comes out is UTF-8 without a control.
TEST(Printable, every_pair_of_bytes_becomes_safe) {
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      const std::string text = printable(std::string{static_cast<char>(a), static_cast<char>(b)});
      for (const char32_t c : characters(text))
        ASSERT_TRUE(c != no_character && !is_control(c)) << a << ' ' << b;
    }
}

TEST(Quoted, a_name_is_cut_between_characters_and_made_safe) {
  EXPECT_EQ(perfmodel::quoted("a\x1b\xFF"), "'a?"
                                            "?'");
  EXPECT_EQ(perfmodel::quoted(std::string(39, 'x') + "é"), "'" + std::string(39, 'x') + "...'");
}

} // namespace perfmodel::utf8_test
