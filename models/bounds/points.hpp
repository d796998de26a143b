// Points a user brings to a roofline: name,intensity,performance[,low,high] as CSV, or the rungs of a ladder.
// The header may carry units ("performance [GFLOP/s]"); without, flop/B and flop/s. More columns may be
// there:
//   path              points of one path are steps, in their order: arrows join them
//   precision, level  of this point's operations and bytes: its roof, whatever was asked for
//   predicted         the rate that a model predicts, beside or instead of a measured one
//   gpu               the only device that it is held against
#pragma once

#include "models/bounds/memory_level.hpp"
#include "models/core/result.hpp"
#include "models/core/units.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct RooflinePoint {
  std::string name, path, gpu;
  std::optional<Precision> precision;
  std::optional<Level> level;
  FlopsPerByte intensity;
  FlopsPerSecond performance{absent}, low{absent}, high{absent}, predicted{absent};
};

struct RooflinePoints {
  std::vector<RooflinePoint> points;
  // Throws InputError naming line and column: no header, a column missing or twice, a cell that is no
  // positive number, an unknown word, a quote that never closes, more than `most` rows.
  static RooflinePoints from_csv(std::string_view text);
  // What from_csv reads back the same.
  std::string to_csv() const;
  // The rows of every table with a version, an intensity and a predicted performance, each named by its
  // version and by the keys that are not the same in all rows; rows that have those in common are one path.
  // Rates that a comparison in the same result measured at the same keys, or that follow from the times it
  // measured, stand beside the predictions. Throws InputError: no such table, or a row that cannot be drawn.
  static RooflinePoints from_result(const Result& result);
  static constexpr std::size_t most = 1'000'000;
};

} // namespace perfmodel
