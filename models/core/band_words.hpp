// Why a number does not stand in the middle of its band.
#pragma once

#include "result.hpp"

#include <string>

namespace perfmodel {

// One sentence about the row of the result whose number lies farthest from its band's median, naming the cost
// that the answer goes with most and where its value lies in its range; "" where no number lies outside of
// its band or a tenth from the median.
std::string why_band_is_aside(const Result& result);

} // namespace perfmodel
