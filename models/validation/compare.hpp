// Two results of one kind side by side: a run before and after a change, or two predictions.
#pragma once

#include "models/core/result.hpp"

namespace perfmodel {

// Joins the tables of equal title on their key columns and sets every other number beside its counterpart,
// with the change relative to `before`. A change beyond `tolerance` is "worse" when it is a lower rate, a
// longer time or neither kind of quantity, else "better". Rows that only one side has are listed. Throws
// InputError when nothing is common.
Result compare(const Result& before, const Result& after, double tolerance);

// How many rows of a comparison are worse.
std::size_t worse_rows(const Result& comparison);

} // namespace perfmodel
