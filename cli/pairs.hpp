// What validate compared, a row a pair, whatever the keys of its model are: one table for programs.
#pragma once

#include "models/core/result.hpp"

namespace perfmodel::cli {

// Of the tables of `validation` that hold predictions against values, in their order: model, quantity, inputs
// ("stride=2;word=4", numbers in base units), unit, predicted, measured, error, tolerance, verdict, evidence,
// grade, and the source of the value. Model, quantity, inputs and source tell a pair apart; units differ by
// row, so that predicted and measured have none.
Table pairs_of(const Result& validation);

} // namespace perfmodel::cli
