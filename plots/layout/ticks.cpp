#include "ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace perfmodel::plots {

namespace {
std::string superscript(int number) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (const char c : std::to_string(number)) out += c == '-' ? "⁻" : digits[c - '0'];
  return out;
}

bool has_many_digits(double value) {
  return value != 0 && (std::fabs(value) >= 1e6 || std::fabs(value) < 1e-5);
}

} // namespace

std::string power_of_ten(double value) {
  if (value == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(value)) + 1e-9));
  const double mantissa = value / std::pow(10.0, exponent);
  const std::string power = "10" + superscript(exponent);
  return std::fabs(mantissa - 1) < 1e-6 ? power : fmt::format("{:.4g}·{}", mantissa, power);
}

namespace {
std::string plain(double value) {
  return has_many_digits(value) ? power_of_ten(value) : fmt::format("{:.6g}", value);
}

constexpr int most_exponent = 17, least_exponent = -10; // of a power of two in digits

// The exponent of a value that a log2 axis calls a power of two.
std::optional<int> exponent_on(const ChartAxis& axis, double number) {
  if (axis.scale != Scale::log2 || !(number > 0)) return std::nullopt;
  const int exponent = static_cast<int>(std::lround(std::log2(number)));
  if (std::fabs(std::ldexp(1, exponent) / number - 1) >= 1e-9) return std::nullopt;
  return exponent;
}

// 65536 and 2¹⁸ are not on one axis: where one tick is a power, all are.
void say_all_one_way(const ChartAxis& axis, std::vector<Tick>& ticks) {
  if (axis.ticks != TickText::plain) return;
  const auto is_power = [&](const Tick& tick) {
    const double number = tick.value / axis.unit;
    const std::optional<int> e = exponent_on(axis, number);
    return e ? *e > most_exponent || *e < least_exponent : has_many_digits(number);
  };
  if (std::none_of(ticks.begin(), ticks.end(), is_power)) return;
  for (Tick& tick : ticks) {
    const double number = tick.value / axis.unit;
    const std::optional<int> e = exponent_on(axis, number);
    tick.text = e ? "2" + superscript(*e) : power_of_ten(number);
  }
}

std::string prefixed(double value, bool binary, const std::string& symbol) {
  if (value == 0) return "0";
  constexpr const char* up[] = {"", "k", "M", "G", "T", "P", "E"};
  constexpr const char* up2[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  constexpr const char* down[] = {"", "m", "u", "n", "p"};
  const double base = binary ? 1024 : 1000;
  double size = std::fabs(value) * (1 + 1e-12);
  int steps = 0;
  for (; size >= base && steps < 6; ++steps) size /= base;
  for (; size < 1 && !binary && steps > -4; --steps) size *= base;
  const double number = value / std::pow(base, steps);
  const std::string unit = (steps < 0 ? down[-steps] : binary ? up2[steps] : up[steps]) + symbol;
  return plain(number) + (unit.empty() ? "" : " " + unit);
}

double power(const ChartAxis& axis, int exponent) {
  return axis.scale == Scale::log2 ? std::ldexp(axis.unit, exponent) : axis.unit * std::pow(10.0, exponent);
}

int whole_log(const ChartAxis& axis, double value, bool up) {
  const double l = axis.scale == Scale::log2 ? std::log2(value / axis.unit) : std::log10(value / axis.unit);
  return static_cast<int>(up ? std::ceil(l - 1e-9) : std::floor(l + 1e-9));
}

constexpr double fewest_doubled = 8; // chart.hpp: from here on steps double

std::vector<Tick> linear_ticks(const ChartAxis& axis, int most) {
  const double low = axis.low / axis.unit, high = axis.high / axis.unit, span = high - low;
  const auto count = [&](double step) { // of multiples from low to high
    return std::floor(high / step + 1e-9) - std::ceil(low / step - 1e-9) + 1;
  };
  double step = std::pow(10.0, std::floor(std::log10(span / std::max(most, 2))));
  for (const double factor : {2.0, 2.5, 2.0, 2.0, 2.5, 2.0}) { // 1 2 5 10 20 50 100
    if (count(step) <= most) break;
    step *= factor;
  }
  if (axis.step >= fewest_doubled) {
    constexpr int enough = 12; // multiples of a warp have many digits
    for (step = axis.step / axis.unit; count(step) > std::min(most, enough); step *= 2) {
    }
  }
  step = std::max(step, axis.step / axis.unit);
  std::vector<Tick> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9 && ticks.size() < 100; ++i) {
    const double value = i * step * axis.unit;
    ticks.push_back({value, tick_text(axis, value == 0 ? 0 : value)});
  }
  return ticks;
}

std::vector<Tick> log_ticks(const ChartAxis& axis, int most) {
  const int first = whole_log(axis, axis.low, true), last = whole_log(axis, axis.high, false);
  std::vector<Tick> ticks;
  const auto add = [&](double value) { ticks.push_back({value, tick_text(axis, value)}); };
  if (axis.scale == Scale::log10 && 3 * (last - first + 1) <= most) { // room for 1, 2, 5
    for (int e = first - 1; e <= last; ++e)
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double value = digit * power(axis, e);
        if (value >= axis.low * (1 - 1e-9) && value <= axis.high * (1 + 1e-9)) add(value);
      }
    return ticks.size() < 2 ? linear_ticks(axis, most) : ticks; // within a digit: 600, 620, 640
  }
  int step = 1;
  while ((last - first) / step + 1 > most) ++step;
  for (int e = first; e <= last; ++e)
    if (e % step == 0) add(power(axis, e));
  return ticks;
}
} // namespace

std::string power_of_two(int exponent) {
  if (exponent > most_exponent || exponent < least_exponent) return "2" + superscript(exponent);
  return exponent < 0 ? "1/" + std::to_string(1 << -exponent) : std::to_string(1 << exponent);
}

std::string tick_text(const ChartAxis& axis, double value) {
  if (axis.ticks != TickText::plain) return prefixed(value, axis.ticks == TickText::binary, axis.symbol);
  const double number = value / axis.unit;
  const std::optional<int> exponent = exponent_on(axis, number);
  return exponent ? power_of_two(*exponent) : plain(number);
}

std::vector<Tick> ticks_of(const ChartAxis& axis, int most) {
  most = std::max(most, 2);
  std::vector<Tick> ticks;
  if (axis.scale != Scale::category) {
    ticks = axis.scale == Scale::linear ? linear_ticks(axis, most) : log_ticks(axis, most);
    say_all_one_way(axis, ticks);
    return ticks;
  }
  for (std::size_t i = 0; i < axis.categories.size(); ++i)
    ticks.push_back({static_cast<double>(i), axis.categories[i]});
  return ticks;
}

double position_on(const ChartAxis& axis, double value) {
  if (axis.scale == Scale::linear || axis.scale == Scale::category)
    return (value - axis.low) / (axis.high - axis.low);
  if (!(value > 0)) return absent;
  return std::log2(value / axis.low) / std::log2(axis.high / axis.low);
}

} // namespace perfmodel::plots
