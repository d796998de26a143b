// The times of several launches on several GPUs added up, so that all GPUs are compared by the same work.
#pragma once

#include "ranking.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace perfmodel::cli {

struct LaunchTime {
  double time = absent, low = absent, high = absent; // s
  double energy = absent;                            // J
  std::string bound;
};
// By a launch's number in the file that captured it; 1 where one was typed. Those that a GPU has no answer
// for are missing.
using LaunchTimes = std::map<std::int64_t, LaunchTime>;

// Fills in the times of `ranked`, GPU by GPU, from `times`: of the launches that each GPU with an answer has
// one for, each as often as `counts` says (else once); the bound is that of the one that takes most. Where
// there is no such launch, all say so. `counts`: of every launch of the file; nothing where one was typed. A
// note where launches are missing, else "".
std::string add_up_common(const std::vector<LaunchTimes>& times, const std::map<std::int64_t, double>& counts,
                          std::vector<RankedGpu>& ranked);

} // namespace perfmodel::cli
