// How the ladder reduces, and what.
#pragma once

#include "models/core/units.hpp"

#include <array>
#include <string_view>

namespace perfmodel {

enum class ReductionVersion {
  interleaved,
  strided_index,
  sequential,
  first_add,
  warp_synchronous,
  unrolled_warp,
  unrolled,
  grid_stride,
  shuffle,
  vector
};
constexpr auto names(ReductionVersion) {
  return std::to_array<std::string_view>({"interleaved", "strided-index", "sequential", "first-add",
                                          "warp-synchronous", "unrolled-warp", "unrolled", "grid-stride",
                                          "shuffle", "vector"});
}

// The warp-synchronous sum is unrolled-warp as the lecture has it, with volatile alone; it is asked for by
// name.
constexpr bool is_rung(ReductionVersion version) { return version != ReductionVersion::warp_synchronous; }

// What cost the rung below it time and is gone in this one, by M. Harris's names of the problems of each
// kernel; "" of the first rung and of what is none.
constexpr std::string_view fixed_by(ReductionVersion version) {
  switch (version) {
  case ReductionVersion::strided_index:
    return "divergent warps";
  case ReductionVersion::sequential:
    return "bank conflicts";
  case ReductionVersion::first_add:
    return "idle threads";
  case ReductionVersion::unrolled_warp:
    return "a warp's barriers";
  case ReductionVersion::unrolled:
    return "loop overhead";
  case ReductionVersion::grid_stride:
    return "too many blocks";
  case ReductionVersion::shuffle:
    return "shared memory";
  case ReductionVersion::vector:
    return "narrow loads";
  default:
    return "";
  }
}

// Whether its blocks go over the array, so that there may be any number of them.
constexpr bool has_any_grid(ReductionVersion version) { return version >= ReductionVersion::grid_stride; }

// Sums of integers and of fp32; the least and the greatest of int32.
enum class ReductionType { int32, fp32, int64, min, max };
constexpr auto names(ReductionType) {
  return std::to_array<std::string_view>({"int32", "fp32", "int64", "min", "max"});
}

constexpr Bytes word_of(ReductionType type) { return Bytes{type == ReductionType::int64 ? 8.0 : 4.0}; }

} // namespace perfmodel
