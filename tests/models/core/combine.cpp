#include "models/core/combine.hpp"

#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::combine_test {

TEST(Combine, max_is_the_lesser_rate_and_sum_the_harmonic_one) {
  EXPECT_DOUBLE_EQ(Combine::parse("max").rate(3, 6), 3);
  EXPECT_DOUBLE_EQ(Combine::parse("sum").rate(3, 6), 2);        // 1 / (1/3 + 1/6)
  EXPECT_DOUBLE_EQ(Combine::parse("p=2").rate(3, 4), 12 / 5.0); // 1/3 and 1/4 as legs: 5/12
  EXPECT_DOUBLE_EQ(Combine::parse("p=2").rate(4, 3), 12 / 5.0) << "order of the resources";
}

TEST(Combine, at_equal_times_p_costs_its_root_of_two) {
  EXPECT_DOUBLE_EQ(Combine::parse("p=1").rate(10, 10), 5);
  EXPECT_DOUBLE_EQ(Combine::parse("p=4").rate(10, 10), 10 / std::pow(2, 0.25));
  // The H200 reaches 86 % at the ridge: p = ln 2 / ln(1 / 0.86) = 4.596, by hand.
  EXPECT_NEAR(Combine::parse("p=4.596").rate(1, 1), 0.86, 1e-4);
}

TEST(Combine, a_larger_p_is_never_slower_and_never_beats_max) {
  for (const double a : {0.01, 0.5, 1.0, 2.0, 100.0}) {
    double before = 0;
    for (const double p : {1.0, 1.5, 2.0, 4.6, 16.0, 100.0}) {
      const double now = Combine{p}.rate(a, 1);
      EXPECT_GE(now, before) << a << " p=" << p;
      EXPECT_LE(now, Combine{}.rate(a, 1)) << a << " p=" << p;
      before = now;
    }
  }
}

TEST(Combine, only_a_finite_p_above_one_is_a_fitted_constant) {
  EXPECT_FALSE(Combine::parse("max").fitted());
  EXPECT_FALSE(Combine::parse("sum").fitted());
  EXPECT_FALSE(Combine::parse("p=1").fitted());
  EXPECT_TRUE(Combine::parse("p=1.01").fitted());
}

TEST(Combine, anything_else_is_refused) {
  const std::string sentence = "--combine: max, sum or p=NUMBER with NUMBER from 1 is expected";
  for (const char* text : {"", "min", "MAX", "p", "p=0.99", "p=-2", "p=0", "max "})
    EXPECT_EQ(error_of([&] { Combine::parse(text); }), sentence) << text;
  EXPECT_EQ(error_of([] { Combine::parse("p=nan"); }),
            "--combine: 'nan' is not a number: a plain number is expected");
  EXPECT_EQ(error_of([] { Combine::parse("p=2s"); }), "--combine: '2s' is in s; a plain number is expected");
}

} // namespace perfmodel::combine_test
