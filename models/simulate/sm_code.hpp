// The programs of a block as the simulation runs them: each different step once, with all that does not
// depend on when it happens, and programs as lists of those.
#pragma once

#include "sm_simulation.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

struct SmUse {
  double cycles = 0; // of the device's units, of those of all simulated SMs
  double piece_cycles = 0;
  std::uint32_t pieces = 0; // of `piece_cycles`, each for some bank; 0: the unit has no banks
  std::uint32_t first = 0;  // place of the unit among those of all schedulers
  std::uint16_t unit = 0;
  UnitOf of = UnitOf::scheduler;
  bool posted = false, in_turn = false;
};

// What most steps read comes first, in two lines of a cache, and three more hold the rest: of long programs
// fetching the steps is much of the time.
struct alignas(64) SmStep {
  enum class Kind : std::uint8_t {
    leave,
    slot,
    any,
    all,
    barrier,
    block_fence,
    device_fence
  } kind = Kind::leave;
  // It is issued once and asks nothing of memory: it uses units of its scheduler or SM, if any, and its
  // result comes after a latency that is no chance.
  bool plain = false;
  WarpWait wait = WarpWait::nothing;
  std::uint8_t waits = 0, used = 0;
  bool leaves = false;         // the SM: global memory beyond L1
  bool accesses = false;       // shared memory
  bool waits_for_unit = false; // of its scheduler, before it is issued
  std::uint8_t banks = 0;      // of registers: those up to the last that it reads
  bool wide = false;
  bool load = false, store = false;
  bool goes_on = false; // while it waits for its units
  bool branches = false;
  Stall blames = Stall::wait;
  AsyncGroup group = AsyncGroup::none, awaits = AsyncGroup::none;
  bool ends_group = false;
  std::uint8_t groups_left = 0, reads_for = 0;
  std::uint16_t result = WarpStep::no_place, operands_read = WarpStep::no_place;
  std::uint16_t lines = 0; // of a store
  std::uint8_t opened_back = 0;
  bool in_row = false;
  std::uint8_t group_of_warps = 0; // that load the same
  std::uint8_t alike = 1;          // warps side by side whose loads take as much longer by chance
  std::uint16_t path = 0;          // cycles for which the warp's next access of its kind has to wait
  std::array<std::uint16_t, WarpStep::most_waits> waits_for{};
  double latency = 0, stall = 0, pause = 0, issue = 0;
  BankReads reads{};
  std::array<SmUse, WarpStep::most_uses> uses{};
  std::int64_t repeat = 1;
  double spread = 0;       // from the mean latency to the far half of L2; the near half is as much quicker
  std::uint32_t found = 0; // the step, plus one, that it is where a warp of its block has come before
  float far = 0.5F;        // chance of the far half
  double tail = 0;         // mean of what comes by chance
};
constexpr std::size_t cache_line = 64; // bytes
static_assert(sizeof(SmStep) == 5 * cache_line);
static_assert(offsetof(SmStep, uses) + sizeof(SmUse) == 2 * cache_line);

struct SmCode {
  static constexpr std::int64_t most_loads = 8; // that a warp remembers for WarpWait::load
  std::vector<SmStep> steps;
  std::vector<std::uint32_t> lines; // of the code, of each step, where its size matters; else empty
  std::vector<std::vector<std::uint32_t>> programs; // the last step of each is Kind::leave
  std::vector<std::vector<std::size_t>> blocks;     // of each kind the programs of its warps
  std::vector<std::size_t> order;  // the kinds of blocks, one after the other, again and again
  std::size_t places = 0;          // of a warp's results, those that a step waits for
  std::size_t groups_of_warps = 1; // that load the same at one place, at most
  bool by_chance = false;          // steps meet banks, or a half of L2, by chance, or take longer by chance
};

// Throws std::logic_error: a step waits for one load of more than most_loads.
SmCode code_of(const SmMachine& machine, const BlockProgram& block);
SmCode code_of(const SmMachine& machine, const TracedBlocks& traced);

} // namespace perfmodel
