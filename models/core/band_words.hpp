// What is said of bands below an answer, and why a number does not stand in the middle of its own.
#pragma once

#include "result.hpp"

#include <string>

namespace perfmodel {

// What a band is; of tables in which no number has one, that it has none. What a model itself misses is not
// in a band, which is said where it is known: cli/model_error_said.hpp.
std::string what_bands_are(const Result& result);

// One sentence about the row of the result whose number lies farthest from its band's median, naming the cost
// that the answer goes with most and where its value lies in its range; "" where no number lies outside of
// its band or a tenth from the median.
std::string why_band_is_aside(const Result& result);

} // namespace perfmodel
