// The grammar: what an expression means is C's, checked against the compiler of this file.
#include "models/core/expression/expression.hpp"

#include "tests/models/core/expression/evaluate.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::expression_test {

std::int64_t value(std::string_view text, std::string_view let = "") {
  return naive_value(Expression::from_text(text).root(), Bindings::from_text(let));
}
std::string error(std::string_view text) {
  return error_of([&] { Expression::from_text(text); });
}

#define EXPECT_C(...)                                                                                        \
  EXPECT_EQ(value(#__VA_ARGS__, "a=7,b=-3,c=2"), std::int64_t{__VA_ARGS__}) << #__VA_ARGS__

// The preprocessor writes the text, the compiler the answer: precedence is not copied from a table.
TEST(Expression, means_what_it_means_in_c) {
  const std::int64_t a = 7, b = -3, c = 2;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
  EXPECT_C(a + b * c);
  EXPECT_C(a - b - c);
  EXPECT_C(a / c / c);
  EXPECT_C(a * b % c);
  EXPECT_C(b / c);
  EXPECT_C(b % c);
  EXPECT_C(a << c + 1);
  EXPECT_C(a << c >> 1);
  EXPECT_C(b >> 1);
  EXPECT_C(a<b == c> b);
  EXPECT_C(a & c == 2);
  EXPECT_C(a ^ c & 3);
  EXPECT_C(a | c ^ 3);
  EXPECT_C(a & 1 && b | 4 || c);
  EXPECT_C(1 || 0 && 0);
  EXPECT_C(a > 3 ? b > 0 ? 1 : 2 : 3);
  EXPECT_C(0 ? 1 : 0 ? 2 : 3);
  EXPECT_C(-a + ~b - !c);
  EXPECT_C(- - -a);
  EXPECT_C(!!a + 1);
  EXPECT_C(~-1);
  EXPECT_C(-a % 4);
  EXPECT_C(a <= 7 != (b >= -3));
  EXPECT_C(0x1F + 0Xa);
  EXPECT_C(((((a)))));
#pragma GCC diagnostic pop
}

TEST(Expression, says_in_which_column_it_stopped_making_sense) {
  EXPECT_EQ(error("(tid + 1"), "column 9: ')' is missing");
  EXPECT_EQ(error("tid + 1)"), "column 8: no '(' before this ')'");
  EXPECT_EQ(error("tid +"), "column 6: a number or a name is expected");
  EXPECT_EQ(error("tid * / 2"), "column 7: a number or a name is expected before '/'");
  EXPECT_EQ(error("tid 2"), "column 5: an operator is expected before '2'");
  EXPECT_EQ(error("tid ? 1"), "column 8: ':' is missing");
  EXPECT_EQ(error("row = 3"), "column 5: '=' assigns; '==' compares");
  EXPECT_EQ(error("tid $ 2"), "column 5: '$' is no part of an expression");
  EXPECT_EQ(error("1.5"), "column 2: '.' is not known: expressions are of whole numbers");
  EXPECT_EQ(error("()"), "column 2: a number or a name is expected before ')'");
}

TEST(Expression, reads_whole_numbers_of_63_bits_decimal_and_hexadecimal) {
  EXPECT_EQ(value("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(value("0x7fffffffffffffff"), INT64_MAX);
  EXPECT_EQ(value("-9223372036854775807 - 1"), INT64_MIN);
  EXPECT_EQ(error("9223372036854775808"), "column 1: '9223372036854775808' needs more than 63 bits");
  EXPECT_EQ(error("1 + 0x8000000000000000"), "column 5: '0x8000000000000000' needs more than 63 bits");
  EXPECT_EQ(value("0"), 0);
  EXPECT_EQ(error("010"), "column 1: '010' is no whole number such as 10 or 0x1f") << "8 in C, 10 to most";
  EXPECT_EQ(error("0x"), "column 1: '0x' is no whole number such as 10 or 0x1f");
  EXPECT_EQ(error("32f"), "column 1: '32f' is no whole number such as 10 or 0x1f");
}

TEST(Expression, without_text_is_an_option_not_given) {
  EXPECT_TRUE(Expression::from_text("").empty());
  EXPECT_EQ(error("  "), "the expression is empty") << "a variable of a script that has no value";
  EXPECT_EQ(Expression::from_text("").text(), "");
  EXPECT_EQ(Expression::from_text(" tid %  2").text(), " tid %  2");
}

TEST(Expression, knows_the_names_that_CUDA_C_gives_threads_and_blocks) {
  const Expression global = Expression::from_text("threadIdx.x + blockIdx.x*blockDim.x");
  EXPECT_EQ(global.text(), "threadIdx.x + blockIdx.x*blockDim.x") << "shown as it was written";
  EXPECT_EQ(error("threadIdx.w"), "column 10: '.' is not known: expressions are of whole numbers");
  EXPECT_EQ(error("threadIdx.xy"), "column 10: '.' is not known: expressions are of whole numbers");
  EXPECT_EQ(error("1 + blockDim.x +"), "column 17: a number or a name is expected") << "as it was typed";
}

TEST(Expression, of_calls_and_other_alphabets_says_what_to_write) {
  EXPECT_EQ(error("lane.x"), "column 5: '.' is not known: expressions are of whole numbers");
  EXPECT_NE(error("min(tid, 3)").find("column 1: 'min' is no function"), std::string::npos);
  EXPECT_EQ(error("tid < \u00e9"), "column 7: '\u00e9' is no part of an expression") << "the whole character";
}

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(Expression, nests_200_deep_and_no_deeper) {
  EXPECT_EQ(value(repeated("(", 199) + "1" + repeated(")", 199)), 1);
  EXPECT_EQ(error(repeated("(", 200) + "1" + repeated(")", 200)), "column 201: nested deeper than 200");
  EXPECT_EQ(value(repeated("-", 198) + "1"), 1);
  EXPECT_EQ(error(repeated("~", 100'000)), "an expression of 100000 characters; at most 4096 are read");
  EXPECT_EQ(error(repeated("!", 4000) + "1"), "column 201: nested deeper than 200");
  EXPECT_EQ(error(repeated("1?", 300) + "1" + repeated(":1", 300)), "column 401: nested deeper than 200");
  EXPECT_EQ(value("1" + repeated("+1", 2047)), 2048) << "a chain is not nested";
}

} // namespace perfmodel::expression_test
