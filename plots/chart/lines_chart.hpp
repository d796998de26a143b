// Any sweep as lines (predicted) with points on them (measured), or as bars.
#pragma once

#include "chart.hpp"

#include "models/core/result.hpp"

#include <vector>

namespace perfmodel::plots {

// Columns of the first table that has them, as `choice` names them; an empty series takes what tells rows of
// one x apart. Predictions are lines named at their right end, measurements hollow points in the colour of
// their line, with the signed error in the tooltip. Rows that cannot be shown are counted in a note; points
// and lines too many to tell apart are a density. Where nothing was swept it is a bar chart. Throws
// InputError when a column is missing or y is text.
Chart lines_chart(const Result& predicted, const std::vector<Result>& measured, const ChartChoice& choice);

// The same with x as a category: predictions are bars, measurements hollow points over them. Bars that would
// be less than a pixel wide are drawn as lines.
Chart bars_chart(const Result& predicted, const std::vector<Result>& measured, const ChartChoice& choice);

bool too_many_bars(const Result& predicted, const ChartChoice& choice);

// What the result itself asks for: roofline, lines or bars. Throws InputError when it has no chart.
Chart chart_of(const Result& predicted, const std::vector<Result>& measured = {});

} // namespace perfmodel::plots
