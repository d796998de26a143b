// A chart whose series are told apart without colour.
#pragma once

#include "chart.hpp"

namespace perfmodel::plots {

// Where a series was told by its colour alone it gets a marker of its own on its line, and bars of several
// series a shade or a hatching. Dashes are there already.
Chart monochrome(Chart chart);

} // namespace perfmodel::plots
