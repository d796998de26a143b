// To how many words and lines atomic operations go.
#include "models/simulate/added_words.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::added_words_test {

AddedPlaces of(const std::vector<AddedWords>& some, double blocks, double most = 1e9) {
  std::vector<const AddedWords*> all;
  for (const AddedWords& block : some) all.push_back(&block);
  return added_places(all, blocks, most);
}

// Each of three blocks adds ten times to each of 4096 words, which 128 lines have.
TEST(AddedWords, words_that_are_alike_are_what_they_are) {
  AddedWords block;
  for (std::uint64_t word = 0; word < 4096; ++word) block[word] = 10;
  const AddedPlaces even = of({block, block, block}, 1000);
  EXPECT_NEAR(even.lines, 128, 1e-6);
  EXPECT_NEAR(even.words, 4096, 1e-6);
}

TEST(AddedWords, a_word_that_all_blocks_have_is_one) {
  const AddedPlaces one = of({{{7, 32.0}}, {{7, 32.0}}, {{7, 32.0}}}, 1000);
  EXPECT_DOUBLE_EQ(one.words, 1);
  EXPECT_LE(one.lines, static_cast<double>(lines_of_slice));
}

// Blocks whose words lie apart have as many as there are blocks, as far as the array reaches.
TEST(AddedWords, a_counter_of_each_block_is_met_by_no_other) {
  const std::vector<AddedWords> own{{{0, 32.0}}, {{100'000, 32.0}}, {{200'000, 32.0}}};
  EXPECT_DOUBLE_EQ(of(own, 3000).words, 3000);
  EXPECT_DOUBLE_EQ(of(own, 3000).lines, 3000);
  EXPECT_DOUBLE_EQ(of(own, 3000, 128 * 500).lines, 500);
  EXPECT_DOUBLE_EQ(of(own, 3000, 128 * 50).words, 1600);
}

// A normal distribution of standard deviation s words: three meet with the chance 1 / (2 pi sqrt(3) s^2), two
// with 1 / (2 sqrt(pi) s), so that the third joins with 1 / (sqrt(3 pi) s); the middle has 1 / (sqrt(2 pi)
// s).
TEST(AddedWords, the_middle_of_a_bell_binds) {
  constexpr double s = 1000, words = 10'000;
  AddedWords bell;
  for (double x = 0; x < words; ++x) {
    const double z = (x - words / 2) / s;
    bell[static_cast<std::uint64_t>(x)] = 1e5 * std::exp(-z * z / 2) / (s * std::sqrt(2 * M_PI));
  }
  const AddedPlaces even = of({bell, bell, bell}, 1000);
  const double like = std::sqrt(3 * M_PI) * s;
  EXPECT_NEAR(even.words, like, 0.01 * like);
  EXPECT_NEAR(even.lines * 32, like, 0.02 * like);
}

TEST(AddedWords, one_block_alone_says_what_it_touches) {
  const AddedPlaces alone = of({{{0, 5.0}, {1, 5.0}, {5000, 1.0}}}, 1);
  EXPECT_DOUBLE_EQ(alone.words, 3);
  EXPECT_DOUBLE_EQ(alone.lines, 2);
  EXPECT_EQ(of({{}}, 5).words, 0) << "no operation at all";
}

} // namespace perfmodel::added_words_test
