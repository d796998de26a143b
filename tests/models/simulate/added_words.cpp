// How evenly atomic operations go to words.
#include "models/simulate/added_words.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::added_words_test {

AddedEvenly of(const std::vector<AddedWords>& blocks) {
  std::vector<const AddedWords*> all;
  for (const AddedWords& block : blocks) all.push_back(&block);
  return added_evenly(all);
}

// 1024 words of 32 lines, 100 operations to each.
TEST(AddedWords, words_that_are_alike_are_what_they_are) {
  AddedWords block;
  for (std::uint64_t word = 0; word < 1024; ++word) block[word] = 100;
  const AddedEvenly even = of({block});
  EXPECT_EQ(even.seen, 32);
  EXPECT_NEAR(even.lines, 1, 0.001);
  EXPECT_NEAR(even.words_of_line, 32, 0.5);
}

TEST(AddedWords, a_word_that_has_all_is_one) {
  const AddedEvenly one = of({{{7, 32.0}}, {{7, 32.0}}});
  EXPECT_EQ(one.seen, 1);
  EXPECT_DOUBLE_EQ(one.lines, 1);
  EXPECT_DOUBLE_EQ(one.words_of_line, 1);
}

// A normal distribution of standard deviation s words: three meet with the chance 1 / (2 pi sqrt(3) s^2), two
// with 1 / (2 sqrt(pi) s), so that the third joins with 1 / (sqrt(3 pi) s), where the middle has
// 1 / (sqrt(2 pi) s).
TEST(AddedWords, the_middle_of_a_bell_binds) {
  constexpr double s = 400, words = 4000, all = 1e7;
  AddedWords bell;
  for (double x = 0; x < words; ++x) {
    const double z = (x - words / 2) / s;
    bell[static_cast<std::uint64_t>(x)] = all * std::exp(-z * z / 2) / (s * std::sqrt(2 * M_PI));
  }
  const AddedEvenly even = of({bell});
  EXPECT_EQ(even.seen, 125);
  const double like = std::sqrt(3 * M_PI) * s; // words
  EXPECT_NEAR(even.lines * even.seen * 32, like, 0.05 * like);
  EXPECT_NEAR(even.lines * even.seen * even.words_of_line, like, 0.01 * like);
}

TEST(AddedWords, few_operations_say_nothing) {
  const AddedEvenly two = of({{{1, 1.0}}, {{5000, 1.0}}});
  EXPECT_EQ(two.seen, 2);
  EXPECT_DOUBLE_EQ(two.lines, 1);
  EXPECT_DOUBLE_EQ(two.words_of_line, 1);
  EXPECT_EQ(of({{}}).words_of_line, 0) << "none at all";
}

} // namespace perfmodel::added_words_test
