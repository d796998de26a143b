// How many measured rows lie inside the bands of their predictions.
#include "models/validation/band_score.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::band_score_test {

// Of ln(measured / predicted) from -below to +above; an error is (predicted - measured) / measured.
ModelError error_of(double below, double above) {
  return {.low = std::exp(-above) - 1, .high = std::exp(below) - 1};
}

// By hand: 3 % and 4 % make 5 % below, 6 % and 8 % make 10 % above, all in the logarithm.
TEST(BandWithModelError, is_the_root_of_the_sum_of_squares_on_each_side) {
  const RowBand row{.predicted = 100, .low = 100 * std::exp(-0.03), .high = 100 * std::exp(0.06)};
  const Interval both = band_with_model_error(row, error_of(0.04, 0.08));
  EXPECT_NEAR(std::log(both.low / 100), -0.05, 1e-12);
  EXPECT_NEAR(std::log(both.high / 100), 0.10, 1e-12);
}

// A prediction a quarter too low, 80 of 100, is all that there is: between 80 and 80 / (1 - 0.2) = 100.
TEST(BandWithModelError, without_open_costs_is_the_model_error) {
  const Interval both = band_with_model_error({.predicted = 80}, {.low = -0.2, .high = 0});
  EXPECT_NEAR(both.low, 80, 1e-12);
  EXPECT_NEAR(both.high, 100, 1e-12);
  const Interval none = band_with_model_error({.predicted = 80, .low = 70, .high = 90}, {});
  EXPECT_NEAR(none.low, 70, 1e-12);
  EXPECT_NEAR(none.high, 90, 1e-12);
}

// A prediction below its band (band_words.hpp), and models that were all too high.
TEST(BandWithModelError, an_end_on_the_wrong_side_counts_as_the_prediction) {
  const Interval both =
      band_with_model_error({.predicted = 10, .low = 11, .high = 30}, {.low = 0.1, .high = 0.25});
  EXPECT_NEAR(both.low, 8, 1e-12) << "10 / 1.25";
  EXPECT_NEAR(both.high, 30, 1e-12);
}

TEST(BandSamples, are_spread_evenly_over_all_rows_that_are_scored) {
  Ledger ledger;
  Ledger::Line& line = ledger.lines[Evidence::blind][{"pi", "time"}];
  line.timed = true;
  for (std::size_t row = 0; row < 100; ++row)
    line.scored.push_back({.series = nullptr, .row = row, .gpu = "h200"});
  Ledger::Line& few = ledger.lines[Evidence::in_sample][{"reduction", "time"}];
  few.timed = true;
  few.scored = {{.series = nullptr, .row = 7, .gpu = "h200"}};
  ledger.lines[Evidence::blind][{"reduction", "sectors"}].scored = few.scored; // counted
  Ledger::Line& fitted = ledger.lines[Evidence::calibration][{"matmul", "time"}];
  fitted.timed = true, fitted.scored = few.scored;
  const std::vector<BandSample> samples = band_samples(ledger, 4);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].scored, 100u);
  std::vector<std::size_t> rows;
  for (const Ledger::Row& row : samples[0].rows) rows.push_back(row.row);
  EXPECT_EQ(rows, (std::vector<std::size_t>{12, 37, 62, 87})) << "the middle of each quarter";
  ASSERT_EQ(samples[1].rows.size(), 1u);
  EXPECT_EQ(samples[1].rows[0].row, 7u);
}

// Measured 95, 103, 130: of bands of 90 to 110, no band, and 90 to 130 around 100, and one without an answer.
TEST(BandScore, counts_rows_inside_the_costs_alone_and_inside_both) {
  BandSample sample{.of = {"pi", "time"}, .scored = 40, .rows = {}};
  for (const double measured : {95., 103., 130., 1.})
    sample.rows.push_back({.series = nullptr, .row = 0, .gpu = "h200", .measured = measured});
  const std::vector<RowBand> bands = {{.predicted = 100, .low = 90, .high = 110},
                                      {.predicted = 100},
                                      {.predicted = 100, .low = 90, .high = 120},
                                      {}};
  const BandScore score = score_of(sample, bands, ModelError{.low = 1 / 1.05 - 1, .high = 1 / 0.95 - 1});
  EXPECT_EQ(score.scored, 40u);
  EXPECT_EQ(score.asked, 3u) << "one has no answer";
  EXPECT_DOUBLE_EQ(score.costs_inside, 1. / 3);
  EXPECT_DOUBLE_EQ(score.costs_width, 0.2);
  EXPECT_DOUBLE_EQ(score.both_inside, 2. / 3) << "103 lies within 5 %; 130 beyond the 121 of both";
  EXPECT_GT(score.both_width, 0.2);
  const BandScore alone = score_of(sample, bands, std::nullopt);
  EXPECT_TRUE(std::isnan(alone.both_inside)) << "no model error is not a model error of zero";
}

TEST(BandsTable, says_how_many_lines_are_as_bands_are_to_be) {
  Table table = table_of({{.of = {"pi", "time"},
                           .scored = 40,
                           .asked = 20,
                           .costs_inside = 0.5,
                           .costs_width = 0.04,
                           .both_inside = 0.95,
                           .both_width = 0.14},
                          {.of = {"transfer", "time"},
                           .scored = 40,
                           .asked = 20,
                           .costs_inside = 0.9,
                           .costs_width = 0.2,
                           .both_inside = 1,
                           .both_width = 0.3}});
  note_bands(table);
  EXPECT_EQ(
      table.notes.back(),
      "Costs alone: of 2 lines 1 have 85 to 97 % of their rows inside, 1 a width under 15 %, 0 both. Both: "
      "of 2 lines 1 have 85 to 97 % of their rows inside, 1 a width under 15 %, 1 both.");
}

} // namespace perfmodel::band_score_test
