// What a chart gives up where the picture is narrow: a column of a journal, or a slide with large text.
#pragma once

#include "plots/chart/chart.hpp"

namespace perfmodel::plots {

inline constexpr int narrow_width = 720; // px

// Names of lines that a third of the width has no room for move out of the right margin: those with a sample
// into the legend, the others onto their lines. Ceilings that no point is held against are left out. Where so
// many have a name beside their value that they would cover the lines, the names stand alone in the margin,
// several in a row.
Chart narrowed(Chart chart, int width);

} // namespace perfmodel::plots
