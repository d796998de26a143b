// What a question of `exercise` is made of.
#include "cli/exercise/drawn.hpp"
#include "cli/exercise/needed_steps.hpp"
#include "cli/exercise/seeded.hpp"
#include "cli/latex_text.hpp"

#include <gtest/gtest.h>

namespace perfmodel::exercise_parts_test {

Step step(const std::string& symbol, const std::string& formula) {
  return {.symbol = symbol, .meaning = "", .formula = formula};
}

// The first numbers of SplitMix64 with the seed 1234567, as its authors' C program prints them.
TEST(Seeded, draws_the_same_numbers_on_every_machine) {
  constexpr std::size_t half = std::size_t{1} << 63U;
  cli::Seeded seeded(1234567);
  EXPECT_EQ(seeded.below(half), 6457827717110365317U);
  EXPECT_EQ(seeded.below(half), 3203168211198807973U);
  EXPECT_EQ(seeded.below(half), 9817491932198370423U - half);
}

TEST(NeededSteps, are_those_that_lead_to_a_symbol) {
  const Derivation derivation{.title = "gpu",
                              .steps = {step("n", ""), step("n(in)", ""), step("beta", ""), step("k", ""),
                                        step("T", ""), step("T(in)", "n(in) / beta + k(out)"),
                                        step("all", "2 x T(in)"), step("later", "all x T")}};
  std::vector<std::string> symbols;
  for (const Step& s : cli::needed_steps(derivation, "all")) symbols.push_back(s.symbol);
  EXPECT_EQ(symbols, (std::vector<std::string>{"n(in)", "beta", "T(in)", "all"}))
      << "n is no part of n(in), nor k of k(out), nor T of T(in)";
  EXPECT_TRUE(cli::needed_steps(derivation, "none").empty());
}

TEST(PlainTerms, leave_out_a_factor_of_one_and_a_sum_with_nothing) {
  EXPECT_EQ(cli::plain_terms("loads word 1 x i + 0 of an array"), "loads word i of an array");
  EXPECT_EQ(cli::plain_terms("(1 x i + 0). 1 x n"), "(i). n");
  for (const char* kept : {"word 11 x i + 8", "1 x 32 threads", "0.1 x n + 0.5", "2 x i + 01", "1.1 x i"})
    EXPECT_EQ(cli::plain_terms(kept), kept);
}

TEST(LatexText, shows_what_latex_would_obey) {
  EXPECT_EQ(cli::latex_text("50 % of P_peak & #1 {x} $5 ~ ^2 \\ <|>"),
            "50 \\% of P\\_peak \\& \\#1 \\{x\\} \\$5 \\textasciitilde{} \\textasciicircum{}2 "
            "\\textbackslash{} \\textless{}\\textbar{}\\textgreater{}");
  EXPECT_EQ(cli::latex_text("--hw --- \"\a"), "-{}-hw -{}-{}- \\symbol{34}?");
}

} // namespace perfmodel::exercise_parts_test
