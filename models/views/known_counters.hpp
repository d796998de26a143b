// The counters of a profiler that a prediction has a number for.
#pragma once

#include "models/validation/profile.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perfmodel {

// What is predicted in a column of the launch, or of one of its accesses, and counted by one of two metrics.
struct KnownCounter {
  std::string_view of; // which accesses; "" for the launch
  std::string_view column;
  bool bytes;
  std::string_view metric, other;
  double other_scale = 1; // of one in sectors
};
std::span<const KnownCounter> known_counters();

// By which metric, and how much of it in the unit of the prediction; none where the profile has neither.
struct Counted {
  std::string metric;
  double value = 0;
};
std::optional<Counted> counted(const ProfiledKernel& kernel, const KnownCounter& known);

} // namespace perfmodel
