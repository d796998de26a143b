// Points a user brings to a roofline: name,intensity,performance[,low,high] as CSV.
// The header may carry units ("performance [GFLOP/s]"); without, flop/B and flop/s.
#pragma once

#include "models/core/table.hpp"
#include "models/core/units.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct RooflinePoint {
  std::string name;
  FlopsPerByte intensity;
  FlopsPerSecond performance{absent}, low{absent}, high{absent};
};

struct RooflinePoints {
  std::vector<RooflinePoint> points;
  // Throws InputError naming line and column: no header, a column missing or twice, a cell that is no
  // positive number, a quote that never closes, more than `most` rows.
  static RooflinePoints from_csv(std::string_view text);
  static constexpr std::size_t most = 1'000'000;
};

} // namespace perfmodel
