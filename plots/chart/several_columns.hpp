// Several columns on one y axis, such as a gain with and without copies: each becomes a series.
#pragma once

#include "models/core/result.hpp"

namespace perfmodel::plots {

bool names_several_columns(const ChartChoice& choice);

// The first table with x and one of the columns that `choice.y` names, as one row for each of them, told
// apart by a key; `chart` of the result then names that key and the one column of numbers. Without such a
// table the result stays as it is. Throws InputError where the columns have different units: one axis has
// one.
Result columns_as_rows(Result result, const ChartChoice& choice);

} // namespace perfmodel::plots
