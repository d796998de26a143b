#include "judged_series.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace perfmodel::ledger_test {

TEST(Ledger, counts_rows_and_the_mean_and_worst_size_of_errors) {
  Series two = balance_of(8, 0.22); // +25 %, out, and -20 %, in
  two.table.columns[0].cells = Texts{"fp32", "fp32"};
  two.table.columns[1].cells = Texts{"spec", "spec"};
  two.table.columns[2].cells = Doubles{8, 12.5};
  const Result r = judged(two);
  const Table& ledger = table_of(r, "ledger: blind");
  EXPECT_EQ(ledger.at("model").text(0), "balance");
  EXPECT_EQ(ledger.at("quantity").text(0), "balance");
  EXPECT_EQ(ledger.at("scored").number(0), 2);
  EXPECT_EQ(ledger.at("out").number(0), 1);
  EXPECT_DOUBLE_EQ(ledger.at("mean_error").number(0), 0.225);
  EXPECT_DOUBLE_EQ(ledger.at("worst_error").number(0), 0.25);
  EXPECT_EQ(score_of(r).scored, 2u);
  EXPECT_EQ(score_of(r).out, 1u);
  EXPECT_EQ(
      r.verdict,
      Texts{"2 rows scored, 1 out of tolerance; mean error 22.5 %, worst 25 % (balance balance). Out of "
            "tolerance: balance balance (1 of 2 rows)."});
}

TEST(Ledger, the_verdict_names_first_what_is_out_most_often) {
  Ledger ledger;
  const auto add = [&](const char* quantity, std::size_t out, std::size_t rows, Evidence evidence) {
    Ledger::Line& line = ledger.lines[evidence][{"m", quantity}];
    line.errors.resize(rows), line.out = out;
  };
  EXPECT_EQ(which_are_out(ledger), "");
  add("a", 1, 10, Evidence::blind);
  add("b", 0, 10, Evidence::blind);
  add("c", 2, 10, Evidence::blind);
  add("a", 2, 5, Evidence::in_sample); // one quantity of two classes
  EXPECT_EQ(which_are_out(ledger), " Out of tolerance: m a (3 of 15 rows), m c (2 of 10).");
  for (const char* more : {"d", "e", "f"}) add(more, 1, 3, Evidence::blind);
  EXPECT_EQ(which_are_out(ledger),
            " Out of tolerance: m a (3 of 15 rows), m c (2 of 10), m d (1 of 3), m e (1 of 3) and 1 more.");
}

// Counts that are all right would make the mean error of the others look small.
TEST(Ledger, the_verdict_says_what_times_and_rates_alone_are_off_by) {
  const std::vector<Series> both{balance_of(10, 1), roof_at(1, 0.8e11)}; // a quarter too much
  const Result r = validate(toy(), both);
  EXPECT_EQ(r.verdict,
            Texts{"2 rows scored, 1 out of tolerance; mean error 12.5 %, of times and rates 25 %, worst "
                  "25 % (roofline performance). Out of tolerance: roofline performance (1 of 1 rows)."});
}

} // namespace perfmodel::ledger_test
