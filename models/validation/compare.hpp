// Two results of one kind side by side: a run before and after a change, or two predictions.
#pragma once

#include "models/core/result.hpp"

namespace perfmodel {

// Joins the tables of equal title on the keys that both have (what differs between the two as a whole, such
// as the GPU of two predictions, is no key) and sets every number beside its counterpart, the worse ones
// first. A change beyond `tolerance` is "worse" when it is a lower rate, a longer time or more power,
// "better" when it is the opposite, and "changed" of any other quantity; a row, table or number that has gone
// is worse, one that came is new. Throws InputError when nothing is common.
Result compare(const Result& before, const Result& after, double tolerance);

// How many rows of a comparison are worse, and how many changed of which neither way is better.
std::size_t worse_rows(const Result& comparison);
std::size_t changed_rows(const Result& comparison);

} // namespace perfmodel
