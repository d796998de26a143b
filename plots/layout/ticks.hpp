// Where an axis has ticks and what they say: 1/16, 64 Ki, 2.5.
#pragma once

#include "plots/chart/chart.hpp"

#include <string>
#include <vector>

namespace perfmodel::plots {

struct Tick {
  double value = 0;
  std::string text;
};

// At most `most` ticks (at least two), on round values inside [low, high]; all as powers where one has too
// many digits.
std::vector<Tick> ticks_of(const ChartAxis& axis, int most);

// A power of two as a fraction: "1/16", "1024", and "2⁻²⁰" where the digits would be many.
std::string power_of_two(int exponent);

// "2.5·10⁸", "10⁶", "0".
std::string power_of_ten(double value);

// A value as a tick of this axis would say it.
std::string tick_text(const ChartAxis& axis, double value);

// 0 at the low end, 1 at the high end. Not a number for what a log axis cannot show.
double position_on(const ChartAxis& axis, double value);

} // namespace perfmodel::plots
