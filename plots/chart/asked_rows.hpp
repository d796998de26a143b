// Which rows of a measurement answer the question that a prediction was asked.
#pragma once

#include "models/core/result.hpp"

#include <string>
#include <vector>

namespace perfmodel::plots {

struct AskedRows {
  Table table;                        // in the predicted columns' units
  std::size_t elsewhere = 0;          // rows that were left out
  std::vector<std::string> differing; // because of these keys
};

// The rows whose keys have values that the prediction has too, at the same x where it has that x. x is no
// such key: a point between two predicted ones is still on the line; "" where there is none. Keys that only
// one of them has tell nothing.
AskedRows asked_rows(const Table& measured, const Table& predicted, const std::string& x);

} // namespace perfmodel::plots
