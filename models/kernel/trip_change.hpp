// How what an instruction computes goes with its operands from one trip to the next.
#pragma once

#include "instruction.hpp"

#include <cstdint>

namespace perfmodel {

enum class TripChange : std::uint8_t {
  any,
  compares,
  adds,       // in proportion, whatever they are
  multiplies, // if one of them stays
  shifts      // if it is by as much
};
TripChange trip_change(const Instruction& instruction);

} // namespace perfmodel
