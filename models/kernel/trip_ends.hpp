// When words that change by as much in every stretch of trips come to an end: how many further stretches
// until then.
#pragma once

#include "lanes.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace perfmodel {

inline constexpr std::uint64_t for_ever = std::numeric_limits<std::uint64_t>::max();

// How often `step` can be added to `value` while it keeps its uppermost bit, and so its sign, and stays below
// 2^32 and not below zero.
inline std::uint64_t until_overflow(std::uint32_t value, std::int32_t step) {
  if (step == 0) return for_ever;
  const std::uint32_t size =
      step > 0 ? static_cast<std::uint32_t>(step) : 0 - static_cast<std::uint32_t>(step);
  constexpr std::uint32_t without_sign = 0x7fffffff;
  const std::uint32_t rest = value & without_sign;
  return (step > 0 ? without_sign - rest : rest) / size;
}

// How often `step` can be added to a difference while it keeps its sign.
inline std::uint64_t until_sign_changes(std::int64_t difference, std::int64_t step) {
  if (step == 0) return for_ever;
  if (difference == 0) return 0;
  if ((difference > 0) == (step > 0)) return for_ever;
  const auto size = static_cast<std::uint64_t>(difference > 0 ? difference : -difference);
  return (size - 1) / static_cast<std::uint64_t>(step > 0 ? step : -step);
}

inline std::int64_t lane_value(const LaneWords& words, std::size_t lane, bool is_unsigned) {
  return is_unsigned ? std::int64_t{words.at[lane]} : static_cast<std::int32_t>(words.at[lane]);
}

// How often a value that is compared can change as it has while it does not wrap around.
inline std::uint64_t until_wrapped(const LaneWords& before, const LaneWords& now, std::size_t lane,
                                   bool is_unsigned) {
  const std::int64_t step = static_cast<std::int32_t>(now.at[lane] - before.at[lane]);
  if (step == 0) return for_ever;
  constexpr std::int64_t all = std::int64_t{1} << 32;
  const std::int64_t least = is_unsigned ? 0 : -all / 2, value = lane_value(now, lane, is_unsigned);
  return static_cast<std::uint64_t>(step > 0 ? (least + all - 1 - value) / step : (value - least) / -step);
}

} // namespace perfmodel
