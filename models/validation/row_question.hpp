// What one row of a series asks its model, and the row of the answer that it is about.
#pragma once

#include "models/core/model.hpp"
#include "models/validation/series.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

// A question, and the keys that pick a row of its answer.
struct RowQuestion {
  Request request;
  std::vector<const Column*> picks;
};

// A prediction and what its costs leave open (core/bands.hpp); no ends where they leave nothing open.
struct RowBand {
  double predicted = absent, low = absent, high = absent;
};

struct Picked {
  double value = absent;
  std::string grade;
  RowBand band;
};

struct Answered {
  RowQuestion asked;
  const Result* answer;
  Picked picked;
};

// Asks as `how` has its grades and bands; `ask` keeps what it answers. Throws InputError when the answer has
// no such row.
Answered answered(const Model& model, const Series& series, std::size_t row, const Request& how,
                  const std::function<const Result&(const Request&)>& ask);

// What another answer to that question holds there; nullopt when it has no such row.
std::optional<double> value_in(const Result& answer, const RowQuestion& asked, const Series& series,
                               std::size_t row);

} // namespace perfmodel
