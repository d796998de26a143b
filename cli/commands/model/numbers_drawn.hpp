// A picture of a column without a number shows nothing, and one with half of them half of it.
#pragma once

#include "models/core/result.hpp"

namespace perfmodel::cli {

// Where no row has a number in the column that the picture would draw, it draws the first of the same unit in
// which one has: the bound of an error that nobody can work out. Where some rows have none, it draws beside
// it a column of that unit which has a number in just these.
void draw_what_has_numbers(Result& result);

} // namespace perfmodel::cli
