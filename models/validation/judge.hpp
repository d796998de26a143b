// The rows of one series held against predictions, and what class of evidence each of them is.
#pragma once

#include "models/core/model.hpp"
#include "models/validation/evidence.hpp"
#include "models/validation/ledger.hpp"
#include "models/validation/series.hpp"
#include "models/validation/series_predictions.hpp"

#include <cstddef>
#include <span>

namespace perfmodel {

struct Unscored {
  std::size_t left_out = 0, slips = 0; // rows
  std::size_t own_constants = 0;       // if nothing else is in the series
};

// Adds the table of a series to `result`, its rows to `ledger`, and the constants that they rest on to both.
// What `store` has of the series is taken from there, the rest is predicted and added to it.
// Shows nothing of a series without a row that is scored, nor one that fixed a constant. Throws InputError: a
// prediction does; then nothing of the series is kept.
Unscored judge(const Model& model, const Series& series, std::span<const Card> cards,
               const EvidenceRecord& record, Result& result, Ledger& ledger,
               PredictionStore* store = nullptr);

} // namespace perfmodel
