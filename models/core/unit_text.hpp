// Units as people write them: "GB/s", "KiB", "flop/B", "1/cycle". The names and prefixes that are read.
#pragma once

#include "units.hpp"

#include <string_view>

namespace perfmodel {

// What one of a unit is in base units; the factor 0 stands for no unit.
struct UnitFactor {
  Dimension dimension{};
  double factor = 0;
};

// One name with its prefix, such as "GB", "flop", "Mi" or "1".
UnitFactor unit_factor(std::string_view text);

// Names with "/" and "*" between them. `whole`: what the user wrote, for the sentence of the InputError that
// an unknown unit throws.
UnitFactor parse_unit(std::string_view text, std::string_view whole);

} // namespace perfmodel
