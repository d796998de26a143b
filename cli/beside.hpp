// Measurements beside a prediction: what of them is drawn.
#pragma once

#include "models/core/model.hpp"
#include "models/validation/series.hpp"

#include <span>
#include <vector>

namespace perfmodel::cli {

// What is drawn where nobody measured it gives way to what somebody did.
void draw_what_was_measured(Result& result, const std::vector<Series>& series);

// The series as results of their own, for a chart of `predicted`, each with its GPU as a column.
// A choice that was measured by its name and not asked for, such as a kernel, is that of the chart where the
// answer stays the same with it named.
std::vector<Result> charted(const Model& model, std::span<const Gpu> gpus, const Request& request,
                            const std::vector<Series>& series, const Result& predicted);

} // namespace perfmodel::cli
