// Measurements beside a prediction: the rows that answer the same question, and what of them is drawn.
#pragma once

#include "models/core/model.hpp"
#include "models/validation/series.hpp"

#include <vector>

namespace perfmodel::cli {

// Of the series of this model those rows that have the words and numbers that were asked for. Of the number
// along the chart's x others stay where none has those: points beside the line. A library, which goes by no
// name of the model's, stays whatever version was asked for.
std::vector<Series> series_asked_for(const Model& model, std::vector<Series> all, const Request& request);

// What is drawn where nobody measured it gives way to what somebody did.
void draw_what_was_measured(Result& result, const std::vector<Series>& series);

// The series as results of their own, for a chart of `predicted`, each with its GPU as a column.
std::vector<Result> charted(const Model& model, const Request& request, const std::vector<Series>& series,
                            const Result& predicted);

} // namespace perfmodel::cli
