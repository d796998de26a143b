// Where lines of text end.
#include "program.hpp"

#include "cli/text_lines.hpp"

#include <gtest/gtest.h>

namespace perfmodel::cli::line_breaks_test {

using Texts = std::vector<std::string>;

TEST(LineBreaks, a_number_and_its_unit_stand_on_one_line) {
  EXPECT_EQ(wrapped("a share of 99.5 % of it", 15), (Texts{"a share of", "99.5 % of it"}));
  EXPECT_EQ(wrapped("reads 4.814 TB/s of it", 13), (Texts{"reads", "4.814 TB/s of", "it"}));
  EXPECT_EQ(wrapped("takes 1.079 ms, or more", 12), (Texts{"takes", "1.079 ms, or", "more"}));
  EXPECT_EQ(wrapped("in 12 cases of all", 5), (Texts{"in 12", "cases", "of", "all"})); // no unit
}

TEST(LineBreaks, a_quantity_wider_than_a_line_is_broken_all_the_same) {
  EXPECT_EQ(wrapped("4.814 TB/s", 6), (Texts{"4.814", "TB/s"}));
}

TEST(LineBreaks, a_list_without_spaces_is_broken_behind_a_comma_and_not_within_a_number) {
  EXPECT_EQ(wrapped("a=128MiB,rows=1024,pairs=512", 16), (Texts{"a=128MiB,", "rows=1024,", "pairs=512"}));
  EXPECT_EQ(wrapped("rows=1024,", 9), (Texts{"rows=1024", ","})) << "no comma before the end of the line";
}

TEST(LineBreaks, a_command_stands_on_one_line_where_one_holds_it) {
  EXPECT_EQ(wrapped("See 'perfmodel slips vuduc-48'.", 28), (Texts{"See", "'perfmodel slips vuduc-48'."}));
  EXPECT_EQ(wrapped("See `perfmodel hw costs h200` too", 27),
            (Texts{"See", "`perfmodel hw costs h200`", "too"}));
  EXPECT_EQ(wrapped("ask perfmodel kernel --hw h200 for that", 28),
            (Texts{"ask", "perfmodel kernel --hw h200", "for that"}));
  EXPECT_EQ(wrapped("See 'perfmodel slips vuduc-48'.", 20), (Texts{"See 'perfmodel slips", "vuduc-48'."}));
}

TEST(LineBreaks, no_answer_parts_a_number_from_its_percent) {
  for (const char* line :
       {"transpose --hw m2090 --n 64", "memory-parallelism --hw h200", "partition-camping --hw m2090"})
    for (const std::string& text : lines_of(perfmodel(words(line)).out))
      EXPECT_FALSE(text.starts_with("%")) << line << "\n" << text;
}

TEST(Wrapped, a_line_does_not_end_in_the_spaces_it_is_broken_at) {
  EXPECT_EQ(wrapped("a = b   [c]", 6), (Texts{"a = b", "[c]"}));
  EXPECT_EQ(wrapped("a = b   [c]", 7), (Texts{"a = b", "[c]"}));
  EXPECT_EQ(wrapped("sums (n 1 073 741 824)", 14), (Texts{"sums (n", "1 073 741 824)"})); // one number
}

} // namespace perfmodel::cli::line_breaks_test
