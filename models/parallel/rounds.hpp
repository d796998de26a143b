// Times of one thing from several rounds, in which it took turns with others: on a machine that others use,
// too, they come in bursts of seconds, and make times longer, never shorter.
#pragma once

#include "hockney_fit.hpp"

#include <vector>

namespace perfmodel {

struct Rounds {
  Bytes bytes;
  std::vector<std::vector<double>> samples; // [s], of each round
};

// The lower quartile of the rounds' medians, and the percentiles of all samples: right while three rounds in
// four are spoilt, and no lucky sample. At least one round, none empty.
Timed typical(const Rounds& rounds);

} // namespace perfmodel
