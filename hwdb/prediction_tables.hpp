// Predictions of whole series as the tables of a result, so that they are written and read as every result.
#pragma once

#include "models/core/result.hpp"
#include "models/validation/prediction_store.hpp"

namespace perfmodel::hwdb {

// Three tables: "series", how many rows each has; "runs" of rows in which nothing but the value changes;
// "predicted", one value a row. The constants and notes of a run are numbers of the result's own, from 0 on.
// A series with a value that JSON cannot hold is left out.
Result tables_of(const PredictionStore& store);

// Throws InputError: the result is not of that kind, or its tables do not fit one another.
PredictionStore store_from(const Result& result);

} // namespace perfmodel::hwdb
