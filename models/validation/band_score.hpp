// How many measured rows lie inside the bands of their predictions: those of the costs alone
// (core/bands.hpp), and those of costs and model error (model_error.hpp) together.
//
// Both together: the distances from the prediction p to the ends of its band of costs, and to the ends of
// what the model error leaves open, add as the root of the sum of their squares, in the logarithm, below and
// above each by itself:
//   low = p exp(-sqrt(ln(p / costs low)^2 + ln(1 + error high)^2))
//   high = p exp(+sqrt(ln(costs high / p)^2 + ln(1 + error low)^2))
// as distances that have nothing to do with one another do (J. R. Taylor, An Introduction to Error Analysis,
// 2nd edition, 1997, chapter 3): which costs are drawn says nothing of what other models missed. Their sum
// would be the band only if both were at their ends in the same rows. An end on the wrong side of p counts as
// p.
#pragma once

#include "ledger.hpp"
#include "model_error.hpp"
#include "row_prediction.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct Interval {
  double low = absent, high = absent;
  bool holds(double value) const { return value >= low && value <= high; }
};

// What the measured number lies between, of positive numbers. Without a band of costs: the prediction.
Interval band_of_costs(const RowBand& row);
Interval band_with_model_error(const RowBand& row, const ModelError& error);

// The rows of one model's quantity, or as many of them as bands are asked for, evenly over all.
struct BandSample {
  Ledger::OfModel of;
  std::size_t scored = 0; // rows that there are
  std::vector<Ledger::Row> rows;
};
inline constexpr std::size_t rows_of_sample = 20;
// Of each quantity that is a time or a rate.
std::vector<BandSample> band_samples(const Ledger& ledger, std::size_t most = rows_of_sample);

// How the rows of a sample fared: shares of them, and medians of (high - low) / predicted.
struct BandScore {
  Ledger::OfModel of;
  std::size_t scored = 0, asked = 0; // rows; asked: without those that have no answer
  double costs_inside = absent, costs_width = absent;
  double both_inside = absent, both_width = absent; // absent: there is no model error
};
// `bands`: of each row of the sample.
BandScore score_of(const BandSample& sample, const std::vector<RowBand>& bands,
                   const std::optional<ModelError>& error);

inline constexpr std::string_view bands_title = "bands";
Table table_of(const std::vector<BandScore>& scores);
// What its columns are, and how many of its lines are as bands are to be. `old`: the day of a score from
// which on models or facts have changed; "": none has.
void note_bands(Table& bands, const std::string& old = "");

} // namespace perfmodel
