// What a model says of one row of a series, and which constants that rests on.
#pragma once

#include "models/core/gpu.hpp"
#include "models/core/model.hpp"
#include "models/validation/series.hpp"

#include <span>
#include <string>
#include <vector>

namespace perfmodel {

struct RowPrediction {
  double value = absent, tolerance = absent;
  std::vector<Step> constants; // those without which the value would be another, but for `known` ones
  std::vector<std::string> notes;
};

// Whether the model predicts the series' column by its keys: inputs of the model, keys of its rows, or facts.
bool covers(const Model& model, const Series& series);

// Inputs and facts are set from the key columns that name them; the others pick the row of the answer.
// Whether a constant matters is found by doing without it; those of `known`, named already, are not tried
// again, unless they are of the probe that measured the series. Throws InputError when the answer has no such
// row.
RowPrediction predict_row(const Model& model, const Gpu& gpu, const Series& series, std::size_t row,
                          std::span<const Step> known = {});

} // namespace perfmodel
