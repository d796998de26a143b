// Which algorithm of an all-reduce wins for how many bytes.
#pragma once

#include "all_reduce.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace perfmodel {

// Seconds over bytes, a straight line.
struct CostLine {
  std::string_view name;
  double at_zero, slope;
};

// The lower envelope of the lines, of which there is one at least.
std::vector<AllReduce::Winner> winners(std::vector<CostLine> lines, double ranks);

// The same where times are no straight lines: who is least at sizes a quarter of a doubling apart, up to
// 16 TiB, and where two of them meet in between, by halving. `best` is the one for so many bytes.
std::vector<AllReduce::Winner> winners(const std::function<AllReduceAlgorithm(Bytes)>& best, double ranks);

} // namespace perfmodel
