// How integer instructions are written: their operands, and the sign of a word.
#pragma once

#include "lane_step.hpp"

namespace perfmodel {

inline std::int32_t sign(std::uint32_t word) { return static_cast<std::int32_t>(word); }

// Destinations in front: a register, then the predicates that take carries.
inline std::size_t first_source(const LaneStep& s) {
  std::size_t n = 1;
  while (s.is_predicate(n)) ++n;
  return n;
}

} // namespace perfmodel
