// Floating-point numbers as the words that registers hold.
#pragma once

#include <bit>
#include <cstdint>

namespace perfmodel {

inline float fp32(std::uint32_t word) { return std::bit_cast<float>(word); }
inline std::uint32_t word_of(float value) { return std::bit_cast<std::uint32_t>(value); }
inline double fp64(std::uint64_t word) { return std::bit_cast<double>(word); }
inline std::uint64_t word_of(double value) { return std::bit_cast<std::uint64_t>(value); }

} // namespace perfmodel
