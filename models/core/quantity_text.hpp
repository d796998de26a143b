// Quantities as people write them: "177 GB/s", "64 KiB", "1.3GHz", "1/16 flop/B", "800 cycles", "2e12".
// Prefixes exist here and nowhere else: SI (k M G T P E, m u n p) and binary (Ki Mi Gi Ti Pi).
#pragma once

#include "units.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct ParsedQuantity {
  double value = 0;                   // in base units
  std::optional<Dimension> dimension; // empty for a bare number: "800" takes the unit that is expected
};

// Throws InputError with a sentence: not a number, unknown unit, out of a double's range, not finite.
ParsedQuantity parse_quantity(std::string_view text);

// Without the spaces, tabs and carriage returns around it.
std::string_view trimmed(std::string_view text);

// The value of `text` where `expected` is wanted; a bare number counts in base units. Of the unit "fraction"
// it may be a share of a hundred: "95%" is 0.95.
// Throws InputError naming the unit that was expected.
double parse_quantity_as(std::string_view text, const Unit& expected);

// As options have them: "1,2,4", "32:1024:32" (step), "1:64:*2" (factor), "1/16:256:*2", "100GB/s,125GB/s":
// at least one value, at most `sweep_limit`. Bandwidths and rates have a unit, but for large ones. Throws
// InputError.
inline constexpr std::size_t sweep_limit = 10'000'000;
std::vector<double> parse_quantities(std::string_view text, const Unit& expected);

enum class Prefix { si, binary, none };

// Rates of integers are kept in flop, as one column holds those of all units, and told in op. Whether a
// precision, unit or fact counts them: "int8", "int8 tensor", "peak.int32".
bool counts_integers(std::string_view name);
// "flop/s" -> "op/s"; other units as they are.
Unit as_operations(Unit unit);

// "177.4 GB/s", "106.4 KiB", "3.578 flop/B", "37.3 G/s"; `digits` significant digits; what has no prefix is
// in groups of three, as in "1 102 345 lines". A number that is absent (NaN) is "-"; the unit "fraction" is
// printed as percent; a count of one is singular: "1 block", "2 blocks".
std::string format_quantity(double value, const Unit& unit, Prefix prefix = Prefix::si, int digits = 4);

// The shortest text that reads back as the same double.
std::string format_exact(double value);

} // namespace perfmodel
