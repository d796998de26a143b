// Predictions of the rows of one series on each card that it may be about: those that are kept, else what the
// models say.
#pragma once

#include "models/core/model.hpp"
#include "models/validation/evidence.hpp"
#include "models/validation/prediction_store.hpp"
#include "models/validation/row_prediction.hpp"
#include "models/validation/series.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perfmodel {

// A device that a row is predicted for.
struct Card {
  std::string gpu;
  RowPredictions* predictions;
  bool is_scored; // else shown beside those that are
};

// Adds it, unless it is there by that name and from that place.
void add_constant(std::vector<Step>& constants, const Step& constant);

class SeriesPredictions {
public:
  // All of them outlive it. `store` may be null.
  SeriesPredictions(const Model& model, const Series& series, std::span<const Card> cards,
                    const EvidenceRecord& record, PredictionStore* store);

  // On each card; the rows are asked for in order. A constant that an earlier row rests on is not named
  // again, unless it decides on the row's class of evidence. Throws InputError as RowPredictions::of does.
  std::vector<RowPrediction> of(std::size_t row);

  // After the last row: adds to the store what it did not have.
  void keep();

private:
  struct OnCard {
    const Card* card;
    const PredictedSeries* kept;          // nullptr: the models are asked
    std::vector<RowPrediction> said = {}; // by the models
  };

  bool decides_on_class(const Step& constant) const;

  const Model& model_;
  const Series& series_;
  const EvidenceRecord& record_;
  PredictionStore* store_;
  std::vector<OnCard> cards_;
  std::vector<Step> named_; // constants that earlier rows rest on
};

} // namespace perfmodel
