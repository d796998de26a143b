// The tables of a roofline result as rows with names. A missing table or column gives no rows, an absent cell
// NaN or "".
#pragma once

#include "chart.hpp"

#include "models/core/result.hpp"

#include <string>
#include <vector>

namespace perfmodel::plots {

struct ComputeRow {
  std::string gpu, ceiling, precision, basis;
  double rate = absent;
  Grade grade = Grade::known;
};

struct BandwidthRow {
  std::string gpu, ceiling, level, basis;
  double bandwidth = absent;
  Grade grade = Grade::known;
};

// A kernel of the prediction or a row of a measurement.
struct PointRow {
  std::string gpu, name, path, precision, level, verdict;
  std::string label; // in the picture, where that is not the name
  double intensity = absent, attainable = absent, measured = absent, low = absent, high = absent,
         predicted = absent;
  Grade grade = Grade::known; // of what is predicted
  bool is_named = true;       // in the picture, beside its dot
};

// Can stand on logarithmic axes.
bool drawable(double value);

struct RooflineTables {
  std::vector<ComputeRow> compute;
  std::vector<BandwidthRow> bandwidth;
  std::vector<PointRow> kernels;
  std::string level = ""; // that was asked for; "": none was
};

// Only ceilings with a positive finite rate. Throws InputError when none is left of either kind: nothing to
// draw.
RooflineTables read_roofline(const Result& predicted);

// Rows of the first table with an intensity and a performance column.
std::vector<PointRow> read_points(const Result& measured);

} // namespace perfmodel::plots
