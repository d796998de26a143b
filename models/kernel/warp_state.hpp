// The state of one warp while its instructions are run: registers, predicates and where each lane is.
#pragma once

#include "instruction.hpp"
#include "lanes.hpp"
#include "memory_bytes.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace perfmodel {

// LaneWords that are at one instruction together.
struct LaneGroup {
  std::size_t next = 0; // of KernelCode::instructions
  std::uint32_t mask = 0;
  // Waits there for others: those of a convergence register, those of a mask, or all at a barrier of the
  // block.
  enum class Waits : std::uint8_t { no, convergence, mask, barrier } waits = Waits::no;
  std::uint8_t convergence = 0;
  std::uint32_t meets = 0;
};

struct WarpState {
  std::vector<LaneWords> registers = std::vector<LaneWords>(256);
  std::array<LaneWords, 256> uniform{}; // all lanes alike
  std::array<Flags, 8> predicates{}, uniform_predicates{};
  std::array<std::array<std::uint32_t, 32>, 16> convergence{}; // B0 .., of each lane: the lanes that it meets
  std::vector<LaneGroup> groups;
  std::vector<MemoryBytes> local = std::vector<MemoryBytes>(32); // of each lane
  std::uint32_t live = 0;                                        // lanes that have not exited
  std::size_t number = 0;                                        // in its block
  int barrier = -1;                                              // of the block, that the warp waits at
  std::uint64_t executed = 0;

  WarpState() {
    registers[zero_register] = LaneWords::of(0);
    uniform[zero_uniform] = LaneWords::of(0);
    predicates[true_predicate] = uniform_predicates[true_predicate] = Flags::of(all_lanes);
  }
};

} // namespace perfmodel
