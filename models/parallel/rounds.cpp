#include "rounds.hpp"

#include "models/core/statistics.hpp"

namespace perfmodel {

Timed typical(const Rounds& rounds) {
  std::vector<double> medians, all;
  for (const std::vector<double>& samples : rounds.samples) {
    medians.push_back(median(samples));
    all.insert(all.end(), samples.begin(), samples.end());
  }
  return {rounds.bytes, Seconds(quantile(medians, 0.25)), Seconds(quantile(all, 0.05)),
          Seconds(quantile(all, 0.95))};
}

} // namespace perfmodel
