// How many bits are set, and where the only one is. std::popcount is a call into a library on the x86-64 that
// distributions build for, of 2003, which had no instruction for it; in the walk over a launch that is a
// tenth of the time.
#pragma once

#include <bit>
#include <cstdint>

namespace perfmodel {

constexpr int bit_count(std::uint64_t bits) { // H. S. Warren, Hacker's Delight, 5-1
  bits -= bits >> 1 & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<int>(bits * 0x0101010101010101 >> 56);
}

// Of a power of two.
inline int log2_of(std::int64_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }

} // namespace perfmodel
