// What was measured or published of the question that is asked.
#pragma once

#include "models/core/model.hpp"
#include "models/validation/prediction_store.hpp"
#include "models/validation/series.hpp"

#include <vector>

namespace perfmodel::cli {

struct AskedSeries {
  std::vector<Series> series;
  PredictionStore kept; // what is kept for their rows
};

// Of the series of this model those rows that have the words and numbers that were asked for. Of the number
// along the chart's x others stay where none has those: points beside the line. A library, which goes by no
// name of the model's, stays whatever version was asked for. `kept`: predictions for the series as they are;
// a constant that a row left out was the first to rest on is not among those of the rows that stay.
AskedSeries series_asked_for(const Model& model, std::vector<Series> all, const Request& request,
                             const PredictionStore& kept);

} // namespace perfmodel::cli
