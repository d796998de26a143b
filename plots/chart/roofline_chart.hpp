// The roofline as a picture: log2 by log2, axes from the hardware, so that before and after compare.
#pragma once

#include "chart.hpp"

#include "models/core/result.hpp"

#include <string>
#include <vector>

namespace perfmodel::plots {

// `predicted` is a result of the roofline model for one device or several; `measured` adds points with the
// columns gpu, precision, level, intensity, performance, low, high and, if there is one, name. `precision`
// selects the solid roof. Throws InputError when there is no compute or no bandwidth ceiling.
Chart roofline_chart(const Result& predicted, const std::vector<Result>& measured = {},
                     const std::string& precision = "");

} // namespace perfmodel::plots
