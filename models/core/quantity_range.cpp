// Lists and ranges of quantities: the values of a sweep.
#include "quantity_text.hpp"

#include "error.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// first * by^n where it is at most about `last`: by^n alone may leave what a double holds, from 1e-310 to 1,
// and what rounding adds to the largest double as well.
double geometric(double first, double by, double n, double last) {
  double value = first * std::pow(by, n);
  if (!std::isfinite(value)) { // 2^2098 lie between the least double and the largest: in three steps
    const double third = std::floor(n / 3);
    value = first * std::pow(by, third) * std::pow(by, third) * std::pow(by, n - 2 * third);
  }
  return std::isfinite(value) ? value : last;
}

// "6" for the bandwidth of a link is meant in some prefix, and nobody knows in which.
double with_unit(std::string_view text, const Unit& expected) {
  const double value = parse_quantity_as(text, expected);
  const bool rate = expected.dimension == dimension_of<BytesPerSecond> ||
                    expected.dimension == dimension_of<FlopsPerSecond>;
  if (!rate || value <= 0 || value >= 1000 || parse_quantity(text).dimension) return value;
  throw InputError(quoted(text) + " has no unit; " +
                   (expected.dimension == dimension_of<FlopsPerSecond> ? "a rate such as 1.3Tflop/s"
                                                                       : "a bandwidth such as 177GB/s") +
                   " is expected");
}

} // namespace

std::vector<double> parse_quantities(std::string_view text, const Unit& expected) {
  std::vector<double> values;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const std::size_t colon = item.find(':');
    if (colon == std::string_view::npos) {
      values.push_back(with_unit(item, expected));
    } else {
      const std::size_t second = item.find(':', colon + 1);
      const double first = with_unit(item.substr(0, colon), expected);
      const double last = parse_quantity_as(
          item.substr(colon + 1, second == std::string_view::npos ? second : second - colon - 1), expected);
      if (second != std::string_view::npos && item.find(':', second + 1) != std::string_view::npos)
        throw InputError("the range " + quoted(item) +
                         " has too many parts: FIRST:LAST:STEP or FIRST:LAST:*FACTOR is expected");
      std::string_view step = second == std::string_view::npos ? "1" : item.substr(second + 1);
      step.remove_prefix(std::min(step.find_first_not_of(' '), step.size()));
      const bool factor = !step.empty() && step.front() == '*';
      if (factor) step.remove_prefix(1);
      const double by = factor ? parse_quantity_as(step, {}) : parse_quantity_as(step, expected);
      if (factor ? (by <= 1 || first <= 0) : by <= 0)
        throw InputError("the range " + quoted(item) +
                         " never ends: use FIRST:LAST:STEP with STEP > 0, or *FACTOR > 1");
      if (last < first) throw InputError("the range " + quoted(item) + " ends below its start");
      // Counted before anything is built, and counted rather than compared with the end: 1e308 + 1 is 1e308.
      // The slack is for 0.1:0.3:0.1, which has three values although 0.1 is no binary fraction.
      const double steps = factor ? (std::log(last) - std::log(first)) / std::log(by) : (last - first) / by;
      const double slack = factor ? std::min(1e-9 / std::log(by), 0.5) : 1e-9;
      if (!(static_cast<double>(values.size()) + steps < static_cast<double>(sweep_limit)))
        throw InputError("the range " + quoted(item) + " has more than 10 million values");
      const auto count = static_cast<std::size_t>(steps + slack) + 1;
      for (std::size_t i = 0; i < count; ++i) {
        const double n = static_cast<double>(i);
        const double value = factor ? geometric(first, by, n, last) : first + n * by;
        values.push_back(std::isfinite(value) ? value : last);
      }
    }
    if (values.size() > sweep_limit) throw InputError("more than 10 million values");
    if (comma == std::string_view::npos) return values;
    rest.remove_prefix(comma + 1);
  }
}

} // namespace perfmodel
