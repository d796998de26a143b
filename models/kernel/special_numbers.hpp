// Branches to what compilers put into logarithms, exponentials, error functions and their like for doubles
// that are not ordinary, or whose result is not: subnormal ones, infinities, NaN. Such code compares the
// upper word of a double, which has its exponent, as an integer or a float. Which way ordinary numbers go is
// found by running the few instructions before the branch on upper words of both kinds.
#pragma once

#include "listing.hpp"

#include <cstddef>
#include <cstdint>

namespace perfmodel {

// Which way of a branch only numbers go that are not ordinary.
enum class SpecialWay : std::uint8_t { none, if_taken, if_not };

// Of the branch at instruction `branch`.
SpecialWay special_way(const KernelCode& code, std::size_t branch);

} // namespace perfmodel
