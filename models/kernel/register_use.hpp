// Which registers an instruction reads and writes: dependences of code whose listing has no control fields,
// or that is asked about on another architecture than its own.
#pragma once

#include "models/kernel/instruction.hpp"

#include <cstdint>
#include <vector>

namespace perfmodel {

// Places of a warp's registers: 0 to 254 R, then predicates, uniform registers and uniform predicates.
inline constexpr std::uint16_t predicate_places = 256, uniform_places = 264, uniform_predicate_places = 520,
                               register_places = 528;

constexpr bool is_predicate(std::uint16_t place) {
  return (place >= predicate_places && place < uniform_places) ||
         (place >= uniform_predicate_places && place < register_places);
}

struct RegisterUse {
  std::vector<std::uint16_t> reads, writes;
  std::vector<std::uint16_t> kept; // of those that it reads: for the same operand of the next instruction
};

RegisterUse register_use(const Instruction& instruction);

} // namespace perfmodel
