// Predictions of the rows of series, kept from one validation for the next, which then need not ask the
// models.
#pragma once

#include "row_prediction.hpp"
#include "series.hpp"

#include <string>
#include <vector>

namespace perfmodel {

// Of all rows of a series, in order, on one GPU. A constant stands with the first row that rests on it, and
// with others only where it decides on their class of evidence.
struct PredictedSeries {
  std::string gpu, title; // of the series
  std::string key;        // key_of(series)
  std::vector<RowPrediction> rows;
};

struct PredictionStore {
  std::vector<PredictedSeries> series;

  // nullptr where there are none on that GPU for just these rows.
  const PredictedSeries* find(const std::string& gpu, const Series& asked) const;
};

// A stamp of all that a series asks the models: whose it is, and the keys of its rows. What was measured is
// no part of it.
std::string key_of(const Series& series);

} // namespace perfmodel
