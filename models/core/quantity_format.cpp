// Quantities out: the prefix and the digits that people would choose.
#include "quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace perfmodel {

namespace {

bool takes_prefix(const Unit& unit) {
  const std::string_view s = unit.symbol;
  return s == "B" || s == "flop" || s == "op" || s == "Hz" || s == "s" || s == "J" || s == "W" ||
         s == "B/s" || s == "flop/s" || s == "op/s" || s == "J/flop" || s == "J/op" || s == "J/B" ||
         s == "flop/J" || s == "op/J";
}

// A fraction below it is what a double's last digits leave of 0, such as an error of -4e-13.
constexpr double rounding = 1e-11;

// Groups of three digits, so that 109085 reads as "109 085".
std::string grouped(double value) {
  std::string text = fmt::format("{:.0f}", value);
  const std::size_t first = text.front() == '-' ? 1 : 0;
  if (text.size() - first > 4)
    for (std::size_t i = text.size(); i > first + 3; i -= 3) text.insert(i - 3, " ");
  return text;
}

std::string digits_of(double value, int digits) {
  const double size = std::fabs(value);
  if (value == std::floor(value) && size < 1e6) return grouped(value);
  if (size != 0 && (size < 1e-4 || size >= 1e6)) return fmt::format("{:.{}g}", value, digits);
  const int before = size < 1 ? 0 : static_cast<int>(std::floor(std::log10(size))) + 1;
  if (before >= digits) return grouped(std::round(value));
  const int zeros = size < 1 && size > 0 ? static_cast<int>(-std::floor(std::log10(size))) - 1 : 0;
  std::string text = fmt::format("{:.{}f}", value, digits - before + zeros);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

} // namespace

std::string format_quantity(double value, const Unit& unit, Prefix prefix, int digits) {
  if (std::isnan(value)) return "-";
  if (unit.symbol == "fraction" && std::fabs(value) < rounding) value = 0;
  if (unit.symbol == "fraction")
    return std::isfinite(value) ? digits_of(100 * value, std::min(digits, 3)) + " %" : "inf %";
  std::string symbol = unit.symbol;
  if (takes_prefix(unit) && value != 0 && std::isfinite(value)) {
    if (prefix == Prefix::binary && unit.symbol == "B") {
      constexpr std::array names{"", "Ki", "Mi", "Gi", "Ti", "Pi"};
      std::size_t i = 0;
      while (std::fabs(value) >= 1024 && i + 1 < names.size()) value /= 1024, ++i;
      symbol = names[i] + symbol;
    } else if (prefix == Prefix::si) {
      constexpr std::array names{"p", "n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
      const bool whole = symbol.front() == 'B' || symbol.front() == 'f' || symbol.front() == 'o';
      std::size_t i = 4;
      const std::size_t least = whole ? 4 : 0;
      // 999.96 would print as 1000: step up before rounding does.
      const double top = 1000 * (1 - 0.5 * std::pow(10.0, -digits));
      while (std::fabs(value) >= top && i + 1 < names.size()) value /= 1000, ++i;
      while (std::fabs(value) < top / 1000 && i > least) value *= 1000, --i;
      symbol = names[i] + symbol;
    }
  }
  const bool counted = unit.dimension == Dimension{} && value == std::floor(value) && std::fabs(value) < 1e15;
  const std::string number = counted                ? grouped(value)
                             : std::isfinite(value) ? digits_of(value, digits)
                                                    : (value > 0 ? "inf" : "-inf");
  // Counted things: "1 block". Units of a dimension have no plural, as in "1 s".
  if (number == "1" && unit.dimension == Dimension{} && !symbol.empty() && symbol.back() == 's')
    symbol.pop_back();
  if (symbol.rfind("1/", 0) == 0) return number + symbol.substr(1); // "32/cycle"
  return symbol.empty() ? number : number + " " + symbol;
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
