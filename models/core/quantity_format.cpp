// Quantities out: the prefix and the digits that people would choose.
#include "quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace perfmodel {

namespace {

// "intervals/s", "1/s": millions of them are no number that is read digit by digit.
bool is_rate_of_things(std::string_view symbol) { return symbol.ends_with("/s"); }

bool takes_prefix(std::string_view symbol) {
  constexpr std::array<std::string_view, 15> known{"B",      "s",    "J",      "W",    "B/s",
                                                   "Hz",     "flop", "op",     "op/s", "flop/s",
                                                   "J/flop", "J/op", "flop/J", "J/B",  "op/J"};
  return std::find(known.begin(), known.end(), symbol) != known.end() || is_rate_of_things(symbol);
}

// 999.96 would print as 1000: the next prefix takes over before rounding does. By the number of digits.
double top_of(int digits) {
  static const std::array<double, 18> tops = [] {
    std::array<double, 18> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = 1000 * (1 - 0.5 * std::pow(10.0, -static_cast<double>(i)));
    return all;
  }();
  return tops[static_cast<std::size_t>(std::clamp(digits, 0, 17))];
}

// A fraction below it is what a double's last digits leave of 0, such as an error of -4e-13.
constexpr double rounding = 1e-11;

// A whole number in groups of three digits, so that 109085 reads as "109 085".
std::string grouped(double value) {
  constexpr double exact = 9007199254740992;                // every whole number below it is a double
  std::string text = std::fabs(value) < exact && value != 0 // -0 keeps its sign
                         ? fmt::format_int(static_cast<std::int64_t>(value)).str()
                         : fmt::format("{:.0f}", value);
  const std::size_t first = text.front() == '-' ? 1 : 0;
  if (text.size() - first > 4)
    for (std::size_t i = text.size(); i > first + 3; i -= 3) text.insert(i - 3, " ");
  return text;
}

// As fmt's {:.Nf}, of up to 1e6, without its arithmetic of any length: a value that lies halfway between two
// texts, as far as a double can tell, is left to fmt.
std::string with_decimals(double value, int decimals) {
  constexpr std::array<std::int64_t, 10> powers{1,       10,        100,        1000,        10000,
                                                100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
  if (decimals > 9) return fmt::format("{:.{}f}", value, decimals);
  const std::int64_t power = powers[static_cast<std::size_t>(decimals)];
  const double scaled = std::fabs(value) * static_cast<double>(power), whole = std::floor(scaled);
  const double rest = scaled - whole;
  constexpr double unsure = 1e-6, most = 1e9; // a product's rounding is far smaller
  if (!(scaled < most) || std::fabs(rest - 0.5) < unsure) return fmt::format("{:.{}f}", value, decimals);
  const std::int64_t units = static_cast<std::int64_t>(whole) + (rest > 0.5 ? 1 : 0);
  std::string text = fmt::format_int(units).str();
  const auto least = static_cast<std::size_t>(decimals) + 1; // "0.05"
  if (text.size() < least) text.insert(0, least - text.size(), '0');
  if (decimals > 0) text.insert(text.size() - static_cast<std::size_t>(decimals), 1, '.');
  if (std::signbit(value)) text.insert(0, 1, '-');
  return text;
}

constexpr double most_in_full = 1e15;

std::string digits_of(double value, int digits) {
  const double size = std::fabs(value);
  if (value == std::floor(value) && size < 1e6) return grouped(value);
  if (size != 0 && (size < 1e-4 || size >= most_in_full)) return fmt::format("{:.{}g}", value, digits);
  const int before = size < 1 ? 0 : static_cast<int>(std::floor(std::log10(size))) + 1;
  if (before >= digits) return grouped(std::round(value));
  const int zeros = size < 1 && size > 0 ? static_cast<int>(-std::floor(std::log10(size))) - 1 : 0;
  std::string text = with_decimals(value, digits - before + zeros);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

} // namespace

std::string format_quantity(double value, const Unit& unit, Prefix prefix, int digits) {
  if (std::isnan(value)) return "-";
  std::string_view symbol = unit.symbol, prefixed;
  if (symbol == "fraction") {
    if (std::fabs(value) < rounding) value = 0;
    return std::isfinite(value) ? digits_of(100 * value, std::min(digits, 3)) + " %" : "inf %";
  }
  if (value != 0 && std::isfinite(value) && takes_prefix(symbol)) {
    if (prefix == Prefix::binary && symbol == "B") {
      constexpr std::array<std::string_view, 6> names{"", "Ki", "Mi", "Gi", "Ti", "Pi"};
      std::size_t i = 0;
      while (std::fabs(value) >= 1024 && i + 1 < names.size()) value /= 1024, ++i;
      prefixed = names[i];
    } else if (prefix == Prefix::si) {
      constexpr std::array<std::string_view, 11> names{"p", "n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
      const bool whole = symbol.front() == 'B' || symbol.front() == 'f' || symbol.front() == 'o';
      std::size_t i = 4;
      const std::size_t least = whole || is_rate_of_things(symbol) ? 4 : 0;
      const double top = top_of(digits);
      while (std::fabs(value) >= top && i + 1 < names.size()) value /= 1000, ++i;
      while (std::fabs(value) < top / 1000 && i > least) value *= 1000, --i;
      prefixed = names[i];
    }
  }
  const bool counted =
      unit.dimension == Dimension{} && value == std::floor(value) && std::fabs(value) < most_in_full;
  std::string text = counted                ? grouped(value)
                     : std::isfinite(value) ? digits_of(value, digits)
                                            : (value > 0 ? "inf" : "-inf");
  if (symbol.empty()) return text;
  // Counted things: "1 block". Units of a dimension have no plural, as in "1 s".
  if (symbol.back() == 's' && unit.dimension == Dimension{} && text == "1" && !is_rate_of_things(symbol))
    symbol.remove_suffix(1);
  if (symbol.starts_with("1/")) // "32/cycle", "37.3 G/s"
    return text.append(prefixed.empty() ? "" : " ").append(prefixed).append(symbol.substr(1));
  if (!symbol.empty()) text.append(" ").append(prefixed).append(symbol);
  return text;
}

std::string format_exact(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

bool counts_integers(std::string_view name) {
  if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos) name.remove_prefix(dot + 1);
  return name.size() > 3 && name.substr(0, 3) == "int" && name[3] >= '0' && name[3] <= '9';
}

Unit as_operations(Unit unit) {
  if (unit.symbol.rfind("flop", 0) == 0) unit.symbol.replace(0, 4, "op");
  return unit;
}

} // namespace perfmodel
