// Runs the instructions of one block: every warp's, for its 32 lanes, with the launch's arguments. Trip
// counts, masks and addresses come out. Memory that is loaded from is unknown, but for shared and local
// memory, constants and arguments, and what the launch says device memory held. LaneWords that part: always
// those with the smallest program counter go on, with BSSY, BSYNC, BREAK and exited lanes taken out; that
// gives the warp instructions that hardware counts. A branch on something unknown: where one side leads to a
// call (the slow path of a division, a root), or is for numbers that are not ordinary (special_numbers.hpp),
// the other is taken; else as the caller says, or the kernel is refused by line.
#pragma once

#include "lane_step.hpp"
#include "launch_arguments.hpp"
#include "long_products.hpp"
#include "stand_in.hpp"
#include "trip_change.hpp"
#include "waiting_loops.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfmodel {

enum class Space : std::uint8_t { none, global, shared, local, constant };

// An opcode that moves memory, and which.
struct MemoryOpcode {
  std::string_view opcode;
  Space space; // of two that it copies between the first
  bool loads, stores, atomic;
};

// What an instruction asks of memory, lane by lane.
struct MemoryAccess {
  Space space = Space::none;
  bool loads = false, stores = false, atomic = false;
  std::uint8_t bytes = 4; // of a lane
  std::array<std::int64_t, 32> address{};
  std::uint32_t mask = 0;  // lanes that make it
  std::uint32_t known = 0; // those whose address is known
};

// One instruction of one warp that was issued, whether or not a lane's guard is true.
struct Executed {
  std::size_t warp = 0, instruction = 0; // of KernelCode::instructions
  std::uint32_t mask = 0;
  bool taken = false;                   // a branch that some lane takes
  bool known = true;                    // what it does; what is not known no lane executes
  const MemoryAccess* access = nullptr; // of the one that reads or writes
  const MemoryAccess* second = nullptr; // where it copies: the one that is written
};

// Of a branch that goes by loaded data. `coin`: each lane by a coin of its own.
enum class Unknown : std::uint8_t { refuse, taken, skipped, coin };
constexpr auto names(Unknown) {
  return std::to_array<std::string_view>({"refuse", "taken", "skipped", "coin"});
}
// What is assumed of loaded data.
struct LoadedData {
  Unknown branches = Unknown::refuse;
  LoadedIndex indices = LoadedIndex::refuse;
  // Blocks find what those before them have left (earlier_blocks.hpp), so many being launched at once; 0:
  // each is taken to be alone.
  std::int64_t together = 0;
  friend bool operator==(const LoadedData&, const LoadedData&) = default;
};

struct BlockRun {
  std::uint64_t instructions = 0, most = 0; // and how many may be
  std::uint64_t slow_paths = 0;             // branches to them, not taken as data is unknown
  std::uint64_t long_divisions = 0;         // of 64 bits, of products that are longer than 32
  std::uint64_t assumed = 0;                // branches taken or not as the caller said
  std::uint64_t unknown_guards = 0;         // instructions other than branches that are taken to be executed
  std::uint64_t guarded_accesses = 0;       // of those, accesses of memory
  std::uint64_t tossed = 0;                 // branches by a coin
  std::uint64_t indexed = 0;                // accesses at addresses that go by loaded data
  std::uint64_t from_memory = 0;            // loads of words that memory held at the launch, and that matter
  std::uint64_t repeated = 0;               // of these, where only the first part of an array was kept
  std::uint64_t drawn = 0;                  // atomic operations on counters that all blocks draw from
  std::uint64_t settled = 0;                // words that the block finds as the first one leaves them
  std::uint64_t outside = 0;                // accesses of global memory that no allocation has
  std::uint64_t looked_up = 0;              // of constants and local arrays, at an index that is data
  std::uint64_t from_blocks = 0;            // loads of words that blocks before this one have left
  std::uint64_t waits_over = 0;             // branches that would go on waiting for other blocks, and do not
};

// Who is told of a block's instructions may let trips of a loop be left out that do what those before them
// did (trip_watch.hpp).
class TripFollower {
public:
  TripFollower() = default;
  TripFollower(const TripFollower&) = delete;
  TripFollower& operator=(const TripFollower&) = delete;
  virtual ~TripFollower() = default;
  // A stretch of trips of a loop of this warp begins; the one before it, if any, has ended.
  virtual void begins(std::size_t warp) = 0;
  // Two stretches have ended, and so many more as they would follow; 0: they were not alike. How many of
  // those may be left out; they then count as run.
  virtual std::uint64_t leaves_out(std::size_t warp, std::uint64_t times) = 0;
};

// A kernel made ready: each instruction's function found once. Refers to the code.
class KernelRunner {
public:
  // `in_order`: blocks may be run as LoadedData::together says. Throws InputError: a branch to where no
  // instruction is.
  KernelRunner(const KernelCode& code, const KernelLaunch& launch, bool in_order = false);

  // Block `linear` of the grid, x fastest. `see` is told of every instruction in the order in which each warp
  // issues them; after `most` instructions of a block it counts as endless. Where there is a follower, trips
  // of loops may be left out. Throws InputError: an instruction that is not known is executed, by name and
  // line; it depends on unknown data, it does not end, warps wait for ever.
  BlockRun run(std::int64_t linear, LoadedData data, const std::function<void(const Executed&)>& see,
               std::uint64_t most = most_instructions, TripFollower* follower = nullptr) const;

  // Instructions of a block after which it counts as endless.
  static constexpr std::uint64_t most_instructions = 10'000'000;

private:
  friend class WarpRunner;
  static constexpr std::size_t nowhere = ~std::size_t{0}; // the listing does not say
  enum class Kind : std::uint8_t { arithmetic, memory, control, nothing, unknown };
  struct Ready {
    Kind kind = Kind::nothing;
    void (*execute)(LaneStep&) = nullptr; // of arithmetic
    const MemoryOpcode* memory = nullptr;
    std::size_t target = nowhere; // of a branch
    std::size_t loops_inside = 0; // of one that leads back (trip_watch.hpp)
    bool slow_if_taken = false, slow_if_not = false;
    std::size_t short_division = nowhere; // whose way lies opposite to a slow path (long_products.hpp)
    bool guards_little = false;           // a branch past a little arithmetic
    bool matters = true; // its result, for ways, addresses or the guards of others (value_slice.hpp)
    CommonWord common = CommonWord::none;
    bool decides = true; // of a load of shared memory: it matters for ways or addresses
    TripChange change{}; // of its result from one trip of a loop to the next
    WaitingBranch waiting = {};
  };
  const EarlierBlocks& earlier_blocks(LoadedData data) const;
  // In words that settle (common_words.hpp), what the first block leaves, alone: addresses over four, and
  // values. None where it cannot be run.
  using SettledWords = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
  const SettledWords& left_by_first(LoadedData data) const;
  BlockRun run(BlockState& block, LoadedData data, const std::function<void(const Executed&)>& see,
               std::uint64_t most, TripFollower* follower) const;
  BlockState begun(std::int64_t linear, LoadedData data) const;

  const KernelCode& code_;
  const KernelLaunch& launch_;
  std::vector<Ready> ready_;
  std::vector<ProductStep> products_; // empty: it has no division of 64 bits
  std::map<int, MemoryBytes> constants_;
  bool in_order_;
  bool settles_ = false;                                   // it has words that do
  bool calls_return_ = false;                              // where none does, a call is a jump that goes far
  mutable std::shared_ptr<const SettledWords> first_left_; // once another block has been run
  mutable std::shared_ptr<const EarlierBlocks> earlier_;   // once a block has been run in order
};

} // namespace perfmodel
