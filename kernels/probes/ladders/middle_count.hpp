// Counts of launches that do not all move the same through device memory, as blocks come apart by chance.
#pragma once

#include "kernels/core/counters.hpp"

#include "models/core/statistics.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace perfmodel::kernels {

// Of every metric the middle of three counts, each of a launch that finds L2 as the one before it left it.
inline std::vector<double> middle_count(Counters& counters, const std::function<void()>& launch) {
  const std::vector<double> one = counters.count(launch, launch), two = counters.count(launch, launch),
                            three = counters.count(launch, launch);
  std::vector<double> middle;
  for (std::size_t i = 0; i < one.size(); ++i) middle.push_back(median(std::array{one[i], two[i], three[i]}));
  return middle;
}

} // namespace perfmodel::kernels
