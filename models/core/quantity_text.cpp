#include "quantity_text.hpp"

#include "error.hpp"
#include "unit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace perfmodel {

std::string_view trimmed(std::string_view s) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = s.find_first_not_of(blanks);
  return first == s.npos ? std::string_view() : s.substr(first, s.find_last_not_of(blanks) - first + 1);
}

namespace {

// A number as it was written.
struct Decimal {
  std::string digits; // with sign and point; "": a fraction's
  int exponent = 0;   // of ten
  double value = 0;

  // 68.26 G is the number nearest to 68.26e9, which is not the one nearest to 68.26 times 1e9.
  double times(double factor) const {
    int zeros = 0;
    double power = 1;
    while (power < factor) power *= 10, ++zeros;
    if (digits.empty() || power != factor || zeros == 0) return value * factor;
    return std::strtod(fmt::format("{}e{}", digits, exponent + zeros).c_str(), nullptr);
  }
};

// The plain decimal number at the front of `s`, which it consumes; groups of three digits may be parted by
// spaces, as they are printed: "16 777 216". No hex, no "inf", no "nan".
Decimal take_number(std::string_view& s, std::string_view whole) {
  std::size_t n = 0;
  const auto digit = [&](std::size_t i) { return i < s.size() && s[i] >= '0' && s[i] <= '9'; };
  if (n < s.size() && (s[n] == '+' || s[n] == '-')) ++n;
  const std::size_t first = n;
  while (digit(n)) ++n;
  std::size_t digits = n - first;
  if (digits >= 1 && digits <= 3)
    while (n < s.size() && s[n] == ' ' && digit(n + 1) && digit(n + 2) && digit(n + 3) && !digit(n + 4))
      n += 4, digits += 3;
  if (n < s.size() && s[n] == '.') {
    const std::size_t dot = n++;
    while (digit(n)) ++n;
    digits += n - dot - 1;
  }
  if (digits == 0 && trimmed(whole).empty())
    throw InputError("a value is missing: a number with a unit, such as '177 GB/s', is expected");
  if (digits == 0) throw InputError(quoted(whole) + " is not a number with a unit, such as '177 GB/s'");
  Decimal taken{.digits = std::string(s.substr(0, n))};
  std::erase(taken.digits, ' ');
  std::string exponent;
  if (n < s.size() && (s[n] == 'e' || s[n] == 'E')) {
    std::size_t e = n + 1;
    if (e < s.size() && (s[e] == '+' || s[e] == '-')) ++e;
    if (digit(e)) {
      while (digit(e)) ++e;
      exponent = s.substr(n + 1, e - n - 1);
      n = e;
    }
  }
  s.remove_prefix(n);
  taken.value = std::strtod((taken.digits + (exponent.empty() ? "" : "e" + exponent)).c_str(), nullptr);
  if (!std::isfinite(taken.value)) throw InputError(quoted(whole) + " is larger than a number can be");
  // Beyond this it is 0, whatever the unit.
  taken.exponent = static_cast<int>(std::clamp(std::strtol(exponent.c_str(), nullptr, 10), -100'000L, 1000L));
  return taken;
}

std::string in_words(const Unit& unit) {
  if (unit.dimension == dimension_of<BytesPerSecond>) return "a bandwidth such as 177GB/s";
  if (unit.dimension == dimension_of<Bytes>) return "bytes such as 64KiB";
  if (unit.dimension == dimension_of<Flops>) return "operations such as 2Gflop";
  if (unit.dimension == dimension_of<FlopsPerSecond>) return "a rate such as 1.3Tflop/s";
  if (unit.dimension == dimension_of<FlopsPerByte>) return "an intensity such as 0.25flop/B";
  if (unit.dimension == dimension_of<Hertz>) return "a clock such as 1.3GHz";
  if (unit.dimension == dimension_of<Cycles>) return "cycles such as 800";
  if (unit.dimension == dimension_of<Seconds>) return "a time such as 20ms";
  if (unit.symbol == "fraction") return "a share such as 0.95 or 95%";
  if (unit.dimension == Dimension{}) return "a plain number";
  return "a value in " + unit.symbol;
}

// "4 chains" where chains are expected is "4", and "1 chain" is "1"; nothing where no such name ends the
// text.
std::optional<std::string_view> without_name(std::string_view text, const Unit& counted) {
  if (counted.dimension != Dimension{} || counted.symbol.empty() || counted.symbol == "fraction")
    return std::nullopt;
  text = trimmed(text);
  std::string_view name = counted.symbol;
  const auto ends = [&] {
    return text.size() > name.size() && text.substr(text.size() - name.size()) == name;
  };
  if (!ends() && name.back() == 's') name.remove_suffix(1);
  if (!ends()) return std::nullopt;
  text.remove_suffix(name.size());
  const char last = trimmed(text).empty() ? ' ' : trimmed(text).back();
  const bool of_rate =
      name.ends_with("/s") && std::string_view("kMGTPE").find(last) != name.npos; // "1.7 Tlines/s"
  if ((last < '0' || last > '9') && last != '.' && !of_rate) return std::nullopt; // "KiB" is no count of "B"
  return text;
}

// A count that is called by the name of a unit, such as {"flop", {}}, is printed with the prefixes of that
// unit.
bool is_called(const Dimension& given, const Unit& counted) {
  const UnitFactor named = unit_factor(counted.symbol);
  return counted.dimension == Dimension{} && named.factor == 1 && named.dimension == given;
}

std::ptrdiff_t digits(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "67.11 MB (64 MiB)", as tables print bytes: the one with fewer digits, which is not rounded.
ParsedQuantity parse_both(std::string_view text, std::size_t open, std::string_view whole) {
  const std::string_view outer = text.substr(0, open), inner = text.substr(open + 1, text.size() - open - 2);
  if (inner.find('(') != inner.npos) throw InputError(quoted(whole) + " is not a number with a unit");
  const ParsedQuantity first = parse_quantity(outer), second = parse_quantity(inner);
  if (first.dimension != second.dimension ||
      !(std::fabs(first.value - second.value) <= 1e-3 * std::fabs(first.value)))
    throw InputError(quoted(whole) + " says two different values");
  return digits(outer) < digits(inner) ? first : second;
}

} // namespace

ParsedQuantity parse_quantity(std::string_view text) {
  const std::string_view whole = text;
  if (text.size() > 200) throw InputError(quoted(whole) + " is not a number with a unit");
  text = trimmed(text);
  if (const std::size_t open = text.find('('); !text.empty() && text.back() == ')' && open != text.npos)
    return parse_both(text, open, whole);
  Decimal number = take_number(text, whole);
  // "1/16": a fraction, as on the axis of a roofline.
  if (text.size() > 1 && text[0] == '/' && std::isdigit(static_cast<unsigned char>(text[1]))) {
    std::string_view rest = text.substr(1);
    const double below = take_number(rest, whole).value;
    if (below == 0) throw InputError(quoted(whole) + " divides by zero");
    number = {.digits = "", .value = number.value / below};
    text = rest;
  }
  text = trimmed(text);
  if (text.empty()) return {number.value, std::nullopt};
  const UnitFactor unit = parse_unit(text, whole);
  const double value = number.times(unit.factor);
  if (!std::isfinite(value)) throw InputError(quoted(whole) + " is larger than a number can be");
  return {value, unit.dimension};
}

double parse_quantity_as(std::string_view text, const Unit& expected) {
  if (const std::string_view given = trimmed(text); expected.dimension == Dimension{} &&
                                                    expected.symbol != "fraction" &&
                                                    given.find_first_of("0123456789") == given.npos)
    throw InputError(given.empty()
                         ? "a value is missing: " + in_words(expected) + " is expected"
                         : quoted(text) + " is not a number: " + in_words(expected) + " is expected");
  if (const std::string_view share = trimmed(text);
      expected.symbol == "fraction" && share.size() > 1 && share.find('%') == share.size() - 1)
    if (const ParsedQuantity q = parse_quantity(share.substr(0, share.size() - 1)); !q.dimension)
      return q.value / 100;
  if (const auto count = without_name(text, expected)) text = *count;
  const ParsedQuantity q = parse_quantity(text);
  if (q.dimension && *q.dimension != expected.dimension && !is_called(*q.dimension, expected))
    throw InputError(quoted(text) + " is in " +
                     (*q.dimension == Dimension{} ? "no unit" : base_symbol(*q.dimension)) + "; " +
                     in_words(expected) + " is expected");
  return q.value;
}

} // namespace perfmodel
