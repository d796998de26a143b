// An axis for the values of a column: its label, unit, scale and range.
#pragma once

#include "chart.hpp"

#include <string>
#include <vector>

namespace perfmodel::plots {

struct AxisWish {
  std::string name;
  Unit unit;
  bool log = false;
  bool from_zero = false; // a linear axis of values that are all of one sign shows zero
};

// Covers the finite values (on a log axis the positive ones); without any, 0 to 1 or 1 to 10.
// A log axis counts in powers of two when both its ends are such, otherwise in powers of ten.
ChartAxis value_axis(const AxisWish& wish, const std::vector<double>& values);

} // namespace perfmodel::plots
