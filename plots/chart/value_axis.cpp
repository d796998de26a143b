#include "value_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
bool is_power_of_two(double v) {
  int exponent = 0;
  return std::fabs(std::frexp(v, &exponent) - 0.5) < 1e-9;
}

bool takes_prefix(const std::string& symbol) {
  constexpr const char* those[] = {"B", "B/s", "flop", "flop/s", "op", "op/s", "s", "Hz", "J", "W", "flop/J"};
  return std::find(std::begin(those), std::end(those), symbol) != std::end(those);
}

std::string with_unit(const std::string& name, const std::string& symbol) {
  return symbol.empty() || symbol == name ? name : fmt::format("{} [{}]", name, symbol);
}

// The prefix that leaves one to three digits before the point of this value.
void choose_prefix(ChartAxis& axis, const AxisWish& wish, double value) {
  constexpr const char* prefixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  const int step = std::clamp(static_cast<int>(std::floor(std::log10(value) / 3 + 1e-9)), -3, 6);
  axis.unit = std::pow(1000.0, step);
  axis.label = with_unit(wish.name, prefixes[step + 3] + wish.unit.symbol);
}

// Beyond, numbers in one prefix have many zeros.
constexpr double one_prefix = 1e4;

void set_log(ChartAxis& axis, const AxisWish& wish) {
  axis.scale = is_power_of_two(axis.low) && is_power_of_two(axis.high) ? Scale::log2 : Scale::log10;
  const bool two = axis.scale == Scale::log2, binary = two && wish.unit.symbol == "B";
  if (takes_prefix(wish.unit.symbol) && !binary && wish.from_zero && axis.high <= one_prefix * axis.low) {
    choose_prefix(axis, wish, std::sqrt(axis.low * axis.high)); // of the middle: few zeros at both ends
    axis.scale = Scale::log10;
  } else if (takes_prefix(wish.unit.symbol)) {
    axis.ticks = binary ? TickText::binary : TickText::si;
    axis.symbol = wish.unit.symbol, axis.label = wish.name; // "100 us": a prefix belongs to its unit
  }
  if (two && axis.ticks == TickText::si) axis.scale = Scale::log10; // 2^n B/s have no round prefix
  if (axis.low == axis.high) axis.low /= 2, axis.high *= 2;
  // Room for half a marker at both ends.
  const double margin = std::pow(axis.high / axis.low, 0.02);
  axis.low /= margin, axis.high *= margin;
}

// 1 for whole numbers, the largest power of two they are multiples of when it is 8 or more, else 0.
double common_step(const std::vector<double>& values) {
  double step = 1024;
  for (const double v : values)
    while (step >= 1 && std::fmod(v, step) != 0) step /= 2;
  return step >= 8 ? step : step >= 1 ? 1 : 0;
}

void set_linear(ChartAxis& axis, const AxisWish& wish) {
  if (wish.unit.symbol == "fraction") axis.unit = 0.01, axis.label = with_unit(wish.name, "%");
  if (wish.from_zero && wish.unit.symbol == "fraction" && axis.low >= 0 && axis.high >= 0.1 &&
      axis.high <= 1) {
    axis.low = 0, axis.high = 1.02; // a marker at 1 is whole
    return;
  }
  if (axis.step >= 8 && axis.low > 0 && axis.low <= 4 * axis.step) axis.low = 0;
  if (wish.from_zero && axis.low > 0) axis.low = 0;
  if (wish.from_zero && axis.high < 0) axis.high = 0;
  if (axis.low == axis.high) {
    const double half = axis.low == 0 ? 1 : std::fabs(axis.low) / 2;
    axis.low -= half, axis.high += half;
  }
  const double margin = 0.03 * (axis.high - axis.low);
  if (axis.low != 0 || !(wish.from_zero || axis.step >= 8)) axis.low -= margin;
  if (axis.high != 0 || !wish.from_zero) axis.high += margin * (wish.from_zero ? 2 : 1);
  if (takes_prefix(wish.unit.symbol))
    choose_prefix(axis, wish, std::max(std::fabs(axis.low), std::fabs(axis.high)));
  else if (wish.unit.symbol.empty() || wish.unit.dimension == Dimension{})
    axis.ticks = std::max(std::fabs(axis.low), std::fabs(axis.high)) >= 1e6 ? TickText::si : TickText::plain;
}
} // namespace

ChartAxis value_axis(const AxisWish& wish, const std::vector<double>& values) {
  ChartAxis axis;
  axis.label = with_unit(wish.name, wish.unit.symbol);
  std::vector<double> shown;
  for (const double v : values)
    if (std::isfinite(v) && std::fabs(v) < 1e300 && (!wish.log || v > 1e-300)) shown.push_back(v);
  if (shown.empty()) {
    axis.low = wish.log ? 1 : 0, axis.high = wish.log ? 10 : 1;
    axis.scale = wish.log ? Scale::log10 : Scale::linear;
    return axis;
  }
  const auto [low, high] = std::minmax_element(shown.begin(), shown.end());
  axis.low = *low, axis.high = *high;
  if (wish.swept && *low < *high && !takes_prefix(wish.unit.symbol)) axis.step = common_step(shown);
  if (wish.log)
    set_log(axis, wish);
  else
    set_linear(axis, wish);
  return axis;
}

} // namespace perfmodel::plots
