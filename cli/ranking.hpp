// GPUs in the order of the time that something takes on them.
#pragma once

#include "models/core/estimate.hpp"
#include "models/core/result.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace perfmodel::cli {

struct RankedGpu {
  std::string gpu, title;
  double time = absent;               // s
  double low = absent, high = absent; // of its band
  std::string why_aside;              // why the time is not amidst its band; "": it is
  std::string bound;
  Grade grade = Grade::known;
  std::string not_known;       // how many of the costs of the time were not measured on this GPU: "25 of 28"
  double energy = absent;      // J; only where its prices are known of this GPU
  bool above_limit = false;    // it takes more power than its board allows
  std::vector<Step> constants; // that went in
  std::string why_not;         // "" where there is a time
};

// `of`: what takes that time. The table, the fastest first, and those without a time in one of their own; in
// words what is fastest, and by how much. `prices`: of an hour of a GPU, in whatever currency; of those that
// have one the price of a million of such times is told, and which of them is the cheapest. The
// constants of all are in the result, each with its GPU before its place.
Result ranking(const std::string& of, std::vector<RankedGpu> gpus,
               const std::map<std::string, double>& prices);

} // namespace perfmodel::cli
