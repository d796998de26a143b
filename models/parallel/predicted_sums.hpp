// Measured sums of every algorithm held against what all-reduce says with the costs of messages.
#pragma once

#include "all_reduce.hpp"
#include "hockney_fit.hpp"

#include <vector>

namespace perfmodel {

struct PredictedSums {
  std::vector<std::vector<Seconds>> times;            // [algorithm][size], as measured
  std::vector<std::size_t> fastest, fastest_measured; // of each size: which algorithm
  double mean_error = 0, worst_error = 0;
  std::size_t worst_algorithm = 0;
  Bytes worst_bytes;
  // Of the sizes at which the slowest takes 10 % longer than the fastest: those at which the predicted winner
  // takes less than 10 % longer.
  int winners_judged = 0, winners_right = 0;
};

// measured[algorithm][size], of the same sizes and at least one; what a machine can measure of them may be
// fewer algorithms than there are.
PredictedSums predict_sums(const CostsBySize& costs, const CostsBySize& one_way, int ranks,
                           const std::vector<std::vector<Timed>>& measured);

} // namespace perfmodel
