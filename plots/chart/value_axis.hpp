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
  bool swept = false;     // ticks stand where values of a sweep do: at whole numbers, at multiples of a warp
};

// Covers the finite values (on a log axis the positive ones); without any, 0 to 1 or 1 to 10. On a linear
// axis fractions are told in percent, and get 0 to 100 whatever part of it they fill, so that two pictures
// compare; only ones below a tenth get a closer look. A log axis counts in powers of two when both its ends
// are such, otherwise in powers of ten.
ChartAxis value_axis(const AxisWish& wish, const std::vector<double>& values);

} // namespace perfmodel::plots
