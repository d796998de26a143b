#include "quantity_text.hpp"

#include "error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>

namespace perfmodel {

std::string_view trimmed(std::string_view s) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = s.find_first_not_of(blanks);
  return first == s.npos ? std::string_view() : s.substr(first, s.find_last_not_of(blanks) - first + 1);
}

namespace {

struct UnitName {
  std::string_view name;
  Dimension dimension;
  double factor;
  bool prefixes;
};

// Every spelling that is read. The longest name that fits wins; case matters only where it tells units apart.
constexpr std::array unit_names = std::to_array<UnitName>({
    {"B", dimension_of<Bytes>, 1, true},
    {"byte", dimension_of<Bytes>, 1, true},
    {"bytes", dimension_of<Bytes>, 1, true},
    {"bit", dimension_of<Bytes>, 1.0 / 8, true},
    {"bits", dimension_of<Bytes>, 1.0 / 8, true},
    {"flop", dimension_of<Flops>, 1, true},
    {"flops", dimension_of<Flops>, 1, true},
    {"FLOP", dimension_of<Flops>, 1, true},
    {"Flop", dimension_of<Flops>, 1, true},
    {"op", dimension_of<Flops>, 1, true},
    {"ops", dimension_of<Flops>, 1, true},
    {"OP", dimension_of<Flops>, 1, true},
    {"FLOPS", dimension_of<FlopsPerSecond>, 1, true},
    {"FLOPs", dimension_of<Flops>, 1, true},
    {"OPS", dimension_of<FlopsPerSecond>, 1, true},
    {"cycle", dimension_of<Cycles>, 1, true},
    {"cycles", dimension_of<Cycles>, 1, true},
    {"cy", dimension_of<Cycles>, 1, true},
    {"clk", dimension_of<Cycles>, 1, true},
    {"Hz", dimension_of<Hertz>, 1, true},
    {"s", dimension_of<Seconds>, 1, true},
    {"sec", dimension_of<Seconds>, 1, true},
    {"J", dimension_of<Joules>, 1, true},
    {"W", dimension_of<Watts>, 1, true},
    {"word", dimension_of<Bytes>, 4, true}, // a 32-bit word, as lectures count
    {"words", dimension_of<Bytes>, 4, true},
    {"thread", {}, 1, false},
    {"threads", {}, 1, false},
    {"warp", {}, 1, false},
    {"warps", {}, 1, false},
    {"block", {}, 1, false},
    {"blocks", {}, 1, false},
});

struct PrefixName {
  std::string_view name;
  double factor;
  bool binary;
};
constexpr std::array prefix_names = std::to_array<PrefixName>({
    {"", 1, false},
    {"k", 1e3, false},
    {"K", 1e3, false},
    {"M", 1e6, false},
    {"G", 1e9, false},
    {"T", 1e12, false},
    {"P", 1e15, false},
    {"E", 1e18, false},
    {"m", 1e-3, false},
    {"u", 1e-6, false},
    {"µ", 1e-6, false},
    {"μ", 1e-6, false},
    {"n", 1e-9, false},
    {"p", 1e-12, false},
    {"Ki", 1024.0, true},
    {"Mi", 1048576.0, true},
    {"Gi", 1073741824.0, true},
    {"Ti", 1099511627776.0, true},
    {"Pi", 1125899906842624.0, true},
});

// One factor of a unit: "GB", "flop", "KiB", "SM"?; nullptr-like (factor 0) when it is none.
struct Factor {
  Dimension dimension{};
  double factor = 0;
};

Factor unit_factor(std::string_view text) {
  if (text == "1") return {{}, 1};
  for (const UnitName& unit : unit_names) {
    if (text.size() < unit.name.size() || text.substr(text.size() - unit.name.size()) != unit.name) continue;
    const std::string_view prefix = text.substr(0, text.size() - unit.name.size());
    for (const PrefixName& p : prefix_names) {
      if (p.name != prefix || (!unit.prefixes && !prefix.empty())) continue;
      // "ms" is a millisecond and "Gs" is nobody's; "mB" would be a millibyte: a slip for MB.
      const bool whole = unit.dimension == dimension_of<Bytes> || unit.dimension == dimension_of<Flops>;
      if (whole && p.factor < 1) continue;
      if (p.binary && unit.dimension != dimension_of<Bytes>) continue;
      return {unit.dimension, unit.factor * p.factor};
    }
  }
  for (const PrefixName& p : prefix_names) // "16Mi", "2k": a bare count
    if (!text.empty() && p.name == text && p.factor > 1) return {{}, p.factor};
  return {};
}

// The plain decimal number at the front of `s`, which it consumes; groups of three digits may be parted by
// spaces, as they are printed: "16 777 216". No hex, no "inf", no "nan".
double take_number(std::string_view& s, std::string_view whole) {
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
  if (n < s.size() && (s[n] == 'e' || s[n] == 'E')) {
    std::size_t e = n + 1;
    if (e < s.size() && (s[e] == '+' || s[e] == '-')) ++e;
    if (digit(e)) {
      while (digit(e)) ++e;
      n = e;
    }
  }
  std::string text(s.substr(0, n));
  std::erase(text, ' ');
  s.remove_prefix(n);
  errno = 0;
  const double value = std::strtod(text.c_str(), nullptr);
  if (!std::isfinite(value)) throw InputError(quoted(whole) + " is larger than a number can be");
  return value;
}

Factor parse_unit(std::string_view text, std::string_view whole) {
  Factor product{{}, 1};
  bool divide = !text.empty() && text.front() == '/'; // "32/cycle"
  if (divide) text.remove_prefix(1);
  while (true) {
    const std::size_t at = text.find_first_of("/*");
    const std::string_view name = trimmed(text.substr(0, at));
    const Factor f = unit_factor(name);
    if (f.factor == 0) throw InputError(quoted(whole) + " has an unknown unit " + quoted(name));
    for (std::size_t i = 0; i < product.dimension.exponents.size(); ++i) {
      const int sum = product.dimension.exponents[i] + (divide ? -1 : 1) * f.dimension.exponents[i];
      if (sum < -8 || sum > 8) throw InputError(quoted(whole) + " has an unknown unit");
      product.dimension.exponents[i] = static_cast<signed char>(sum);
    }
    product.factor *= divide ? 1 / f.factor : f.factor;
    if (at == std::string_view::npos) return product;
    divide = text[at] == '/';
    text.remove_prefix(at + 1);
  }
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
  if ((last < '0' || last > '9') && last != '.') return std::nullopt; // "KiB" is no count of "B"
  return text;
}

// A count that is called by the name of a unit, such as {"flop", {}}, is printed with the prefixes of that
// unit.
bool is_called(const Dimension& given, const Unit& counted) {
  const Factor named = unit_factor(counted.symbol);
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
  double value = take_number(text, whole);
  // "1/16": a fraction, as on the axis of a roofline.
  if (text.size() > 1 && text[0] == '/' && std::isdigit(static_cast<unsigned char>(text[1]))) {
    std::string_view rest = text.substr(1);
    const double below = take_number(rest, whole);
    if (below == 0) throw InputError(quoted(whole) + " divides by zero");
    value /= below;
    text = rest;
  }
  text = trimmed(text);
  if (text.empty()) return {value, std::nullopt};
  const Factor unit = parse_unit(text, whole);
  value *= unit.factor;
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
