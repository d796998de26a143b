// SMs and the blocks that run on them, warp by warp, where no single limit binds: short blocks, barriers,
// loads of few bytes.
// A warp issues its steps in order. A step takes a slot of the warp's scheduler, then its units, each of
// which serves one after the other in the order of arrival; a result is there `latency` cycles after the last
// of them has served. A warp waits where a step needs the results before it, at a barrier for the last warp
// of its block. Accesses of global memory leave their SM in order, loads behind stores, and so many wait for
// that at most (access_queue.hpp), where a scheduler lets the warp go first that it served last; what is
// posted to device memory is done some time and keeps nothing waiting. At a fence a warp waits until all that
// it has asked for is there, and until its stores are where the fence says; loads behind it come later. An
// SM's slot takes the next block as soon as the last warp has left, `launch` cycles later; the device
// launches one block after another, an SM too, and of a block one warp after another. What all SMs share (L2,
// device memory, the device's launcher) is here an SM's share of it. Assumes that all SMs do the same.
#pragma once

#include "instruction_fetch.hpp"
#include "memory_bank.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// Which of a warp's results a step waits for.
enum class WarpWait : std::uint8_t {
  nothing,
  results,
  loads, // of global memory, and all others
  load   // the oldest load of global memory that no step has waited for, of eight at most
};

struct UnitUse {
  std::size_t unit = 0; // of SmMachine::units
  double cycles = 0;    // for which it serves nobody else; of the device's units, an SM's share
  bool posted = false;  // the result does not wait until it has served
  bool in_turn =
      false; // reads of a stream, which come to a unit's banks in turn where no write comes between
  friend bool operator==(const UnitUse&, const UnitUse&) = default;
};

// Why a warp does not issue, by the names that NVIDIA's profiler gives the reasons.
enum class Stall : std::uint8_t {
  wait,             // a latency that is the same every time
  long_scoreboard,  // data from global or local memory
  short_scoreboard, // data from shared memory, special functions, constants at an index
  barrier,
  membar,         // a memory fence
  branch,         // the next instruction behind a branch that is taken
  lg_throttle,    // the queue to L2
  mio_throttle,   // the queue to shared memory
  math_throttle,  // its pipe
  not_selected,   // another warp issues
  no_instruction, // its next instruction
  start,          // a block on its way to the SM
  drain           // a block that has ended, until its stores have left
};
inline constexpr std::size_t stall_count = 13;
constexpr auto names(Stall) {
  return std::to_array<std::string_view>(
      {"wait", "long scoreboard", "short scoreboard", "barrier", "membar", "branch resolving", "lg throttle",
       "mio throttle", "math pipe throttle", "not selected", "no instruction", "block start", "drain"});
}

// Operands that an instruction has each bank of the register file deliver.
inline constexpr std::size_t most_banks = 16; // the most that the fact register.banks may say
using BankReads = std::array<std::uint8_t, most_banks>;

enum class AsyncGroup : std::uint8_t { none, copies, products };

// Up to where a warp's stores are to be seen before it goes on: by its block, or beyond the SM.
enum class Fence : std::uint8_t { none, block, device };

struct WarpStep {
  static constexpr std::size_t most_own_uses = 4, most_uses = most_own_uses + 1; // and a turn with others
  static constexpr std::size_t most_waits = 8;
  static constexpr std::uint16_t no_place = 0xffff;
  std::array<UnitUse, most_uses> uses{};
  std::uint8_t used = 0;
  bool any = false;          // one of its units, the one that is free first; else all
  bool barrier = false;      // nothing but that
  Fence fence = Fence::none; // nothing but that; its unit is that of the SM's fences
  bool cached = false;       // a load of global or local memory that L1 has
  bool load = false;         // its result is one of WarpWait::loads
  bool store = false;        // of global memory
  bool queued = false;       // the warp goes on while the access waits for its units
  WarpWait wait = WarpWait::nothing;
  double latency = 0;  // cycles from there to its result, or until a store has left the SM
  double spread = 0;   // between its latency in the near and the far half of L2; which is as good as random
  double far = 0.5;    // chance that the far half has its data
  double tail = 0;     // mean of what it takes longer by chance, which is distributed exponentially
  bool in_row = false; // of the load before it, and waits as much longer
  std::uint8_t alike = 1;  // warps of a block side by side that wait as much longer
  std::uint16_t path = 0;  // of an access, cycles for which the warp's next one of its kind has to wait
  double pause = 0;        // cycles after it for which the warp issues nothing
  double issue = 0;        // cycles of the scheduler beside its slot
  BankReads reads{};       // after its issue
  bool wide = false;       // of 64 bits, which it has twice as long
  std::int64_t repeat = 1; // so many of them, one after the other
  // Of code whose dependences are known: places, of a warp, of the results that it waits for, that which its
  // result goes to, and that which is free again when its operands have been read. A place is a counter of
  // the machine code's control fields, or a register.
  std::array<std::uint16_t, most_waits> waits_for{};
  std::uint8_t waits = 0;
  std::uint16_t result = no_place, operands_read = no_place;
  std::uint8_t reads_for = 0; // cycles from its turn until they have been read
  double stall = 0;           // cycles after it at least, in which the warp does not issue
  Stall blames = Stall::wait; // why a warp waits that waits for its result
  bool branches = false;      // the stall is that of a taken branch
  // Copies to shared memory and products of four warps go on while their warp does. They belong to the group
  // of their kind that is open, until a step ends it; a step that awaits groups waits for all but the newest.
  AsyncGroup group = AsyncGroup::none, awaits = AsyncGroup::none;
  bool ends_group = false;
  std::uint8_t groups_left = 0; // that it does not wait for
  // Of a store: lines that it goes to, and which of the warp's last stores to other lines has opened these
  // (1: the last; 0: none).
  std::uint16_t lines = 0;
  std::uint8_t opened_back = 0;
  // Of a load of lines that several warps of the block load: the step that it is instead, plus one, where
  // another of its group has come here before and L1 has the lines, or waits for them. 0: it is the same for
  // all.
  std::uint32_t found = 0;
  std::uint8_t group_of_warps = 0;
  std::uint32_t line = 0; // of the code, where its size matters (instruction_fetch.hpp)
  friend bool operator==(const WarpStep&, const WarpStep&) = default;
};

using WarpProgram = std::vector<WarpStep>;

struct BlockProgram {
  std::vector<WarpProgram> programs;
  std::vector<std::size_t> of_warp; // which of them each warp of a block runs
  friend bool operator==(const BlockProgram&, const BlockProgram&) = default;
};

enum class UnitOf : std::uint8_t { scheduler, sm, device }; // each of them has one

struct SmUnit {
  std::string name; // "alu", "shared memory"
  UnitOf of = UnitOf::scheduler;
  // Banks that serve side by side, each `servers` times as long; accesses of more than `piece` cycles take
  // several. Which bank a read meets is as good as random; what is posted, and a stream of
  // reads without writes between, comes to them in turn.
  std::size_t servers = 1;
  double piece = 0;
  BankTurns turns; // what is posted are writes
  friend bool operator==(const SmUnit&, const SmUnit&) = default;
};

struct SmMachine {
  std::size_t schedulers = 1;
  std::size_t sms = 4;         // that are simulated
  bool youngest_first = true;  // of a scheduler's warps; else the one that has been ready for longest
  double issue_interval = 1;   // cycles between two issues of a scheduler
  double reissue_gap = 1;      // of one warp
  double barrier = 0;          // cycles from the arrival of the last warp to the next step of all
  double barrier_per_warp = 0; // cycles for which an arrival keeps the SM's barriers busy
  double launch = 0;           // cycles from a free slot to the next block's first warp
  // Cycles between two blocks: of an SM, and of the device, for each SM one; between two warps of a block.
  double launch_interval = 0, device_interval = 0, warp_interval = 0;
  std::size_t accesses = 0; // unit that all accesses go through: shared memory and L1
  double fence = 0;         // cycles that a barrier of a block takes there, ..
  double lone_fence = 0;    // .. and one of a block of one warp
  // By which a memory fence beyond the SM takes longer right behind a store, and a load right behind such a
  // fence, in cycles.
  double fence_behind_store = 0, load_behind_fence = 0;
  // Cycles of the unit of fences, beside a fence's own, for one beyond the SM whose warp has stored, and has
  // loaded, since its last.
  double fence_of_store = 0, fence_of_load = 0;
  std::size_t fences = 0; // that unit
  // On an SM, where warps that have left make room for others (warp_rows.hpp); 0: none does before its
  // whole block has ended.
  std::size_t most_blocks = 0;
  double register_read = 0;     // cycles of a bank of a scheduler's registers for an operand
  double operands_after = 0;    // its issue an instruction has its operands, at the latest, in cycles
  std::size_t queue = 0;        // accesses of global memory that wait in an SM, at most; 0: any number
  std::size_t access_queue = 0; // accesses of shared memory that wait in a scheduler, at most; 0: any number
  std::size_t open_lines = 0;   // that an SM keeps open for stores; 0: none
  FetchCosts fetch;
  std::vector<SmUnit> units;
  friend bool operator==(const SmMachine&, const SmMachine&) = default;
};

// Blocks of several kinds, whose warps run programs that are lists of steps, each different step once.
struct TracedBlocks {
  std::vector<WarpStep> steps;
  std::vector<std::vector<std::uint32_t>> programs; // of `steps`
  std::vector<std::vector<std::size_t>> blocks;     // of each kind the programs of its warps, as many in all
  std::vector<std::size_t>
      order;              // kinds of the blocks that are launched one after the other, again and again
  std::size_t places = 0; // of a warp's results
  std::uint64_t most_steps = 4'500'000; // to simulate; what is left goes on as before
  friend bool operator==(const TracedBlocks&, const TracedBlocks&) = default;
};

struct SmRun {
  double cycles = 0;
  double launched = 0;                        // until the last block is launched
  std::array<double, stall_count> stalls{};   // cycles of all simulated warps
  double issued = 0, warp_cycles = 0;         // steps, and cycles of warps on their SMs
  double issue = 0, launch = 0, barriers = 0; // shares of the time for which those of them were busy
  double held = 0;                            // of `issue`: schedulers by instructions beside their slots
  std::vector<double> unit_busy;              // likewise, for every unit
  std::vector<double> writing; // cycles of each block from its first store that reaches L2 to its last
};

// `blocks` for each SM, of which it holds `resident` at a time, both at least 1. An SM takes the next block
// when it has room, so that of 2.5 some have three. Long runs are continued as they went on before.
// The last answers are remembered: rows, formats and the moves of a grade ask for many of them again.
SmRun run_blocks(const SmMachine& machine, const BlockProgram& program, std::size_t resident, double blocks);
// The same of two programs for the `resident` blocks of each SM: what they have in common, until the first
// warp comes to its end, is simulated once.
std::array<SmRun, 2> run_both(const SmMachine& machine, const BlockProgram& shorter,
                              const BlockProgram& longer, std::size_t resident);
// The same of traced blocks.
SmRun run_blocks(const SmMachine& machine, const TracedBlocks& traced, std::size_t resident, double blocks);

} // namespace perfmodel
