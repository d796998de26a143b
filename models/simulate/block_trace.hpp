// What the warps of a block did, as far as time depends on it: instructions with what they ask of memory,
// each different one once, and every warp's as a list of them. Made by running the block; costs are not in it
// yet.
#pragma once

#include "footprint.hpp"
#include "l1_sectors.hpp"
#include "register_use.hpp"
#include "sm_neighbours.hpp"

#include "models/access/banks.hpp"
#include "models/access/transactions.hpp"
#include "models/kernel/run_block.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace perfmodel {

// How the GPU that is asked about splits accesses.
struct AccessRules {
  CoalescingRule load, store;
  Banks banks;
  std::int64_t atom = 32; // bytes that device memory is read in
  double l1_bytes = 0;    // of L1, for each resident block
  // How many blocks share an SM and its L1, and how far apart they are: as many as there are SMs.
  std::int64_t sharers = 1, apart = 0;
  bool by_registers = false; // dependences: else by the control fields of the code
  friend bool operator==(const AccessRules&, const AccessRules&) = default;
};

struct TracedStep {
  std::uint32_t instruction = 0;
  bool idle = false; // an access that no lane makes, or an instruction that is not known and no lane executes
  bool taken = false; // a branch
  bool fence = false; // a barrier behind accesses of shared memory
  Space space = Space::none;
  bool loads = false, stores = false, atomic = false;
  bool awaited = false;                                  // another block of the SM has fetched some of it
  std::uint16_t wavefronts = 0;                          // of L1 or shared memory
  std::uint16_t sectors = 0;                             // of 32 bytes, that go beyond L1
  std::uint16_t lines = 0;                               // of 128 bytes, that they lie in
  std::uint16_t least_wavefronts = 0, least_sectors = 0; // of the same bytes side by side, without conflicts
  std::uint16_t words = 0; // an atomic operation: most lanes of one word; constants: different words
  std::int16_t allocation = -1;
  // A store: the warp's store to other lines, counted back from the last, that went to the same lines, and
  // had a store like this after it.
  std::uint8_t opened_back = 0;
  bool continued = false;
  std::array<std::uint16_t, 8> waits_for{}; // places of registers
  std::uint8_t waits = 0;
  std::uint16_t result = 0xffff;
  friend bool operator==(const TracedStep&, const TracedStep&) = default;
};

// What hardware counters would count.
struct TraceCounts {
  double instructions = 0, lanes = 0;
  double load_sectors = 0, store_sectors = 0; // of global memory, each of an instruction once
  double load_requests = 0, store_requests = 0;
  double load_transactions = 0, store_transactions = 0; // as the GPU's rules split accesses of global memory
  double parts = 0;                                     // half-warps and the like, of the same accesses
  double l2_read_sectors = 0;                           // that L1 does not have
  double shared_wavefronts = 0, shared_least = 0;
  double branches = 0, divergent = 0;
  double atomics = 0;

  void add(const TraceCounts& other, double times);
};

struct BlockTrace {
  std::vector<std::vector<std::uint32_t>> warps; // of the tracer's steps
  BlockFootprint footprint;
  std::vector<double> read_sectors; // by allocation, beyond L1
  // By allocation, each of an instruction once, but for stores to lines that the warp has just opened.
  std::vector<double> stored_sectors;
  double pieced_lines = 0; // that have a sector which stores fill one after the other
  TraceCounts counts;
  BlockRun run;
  // Where addresses or branches go by stand-ins for data, no two blocks do quite the same.
  friend bool same_work(const BlockTrace& a, const BlockTrace& b) {
    const auto by_data = [](const BlockTrace& t) { return t.run.indexed > 0 || t.run.tossed > 0; };
    return a.warps == b.warps || (by_data(a) && by_data(b));
  }
};

class BlockTracer {
public:
  // Refers to all of them. Throws InputError: an address that is not known, by line.
  BlockTracer(const KernelCode& code, const KernelLaunch& launch, const AccessRules& rules, LoadedData data);

  BlockTrace trace(std::int64_t block);
  const std::vector<TracedStep>& steps() const { return steps_; }

private:
  struct State;
  SmNeighbours neighbours_of(std::int64_t block) const;
  ReadOrder reads_of(std::int64_t block, std::uint64_t most) const;
  bool stays_in_l1(const Instruction& i, const MemoryAccess& access) const;
  TracedStep step_of(const Executed& executed, State& state);
  void global(const MemoryAccess& access, std::size_t warp, TracedStep& step, State& state);
  static void split(const MemoryAccess& access, const CoalescingRule& rule, double sectors,
                    TraceCounts& counts);
  void shared(const MemoryAccess& access, TracedStep& step, State& state) const;
  void local(MemoryAccess access, std::size_t warp, TracedStep& step, State& state);
  void registers(const Executed& executed, TracedStep& step, State& state) const;
  std::uint32_t number_of(const TracedStep& step);
  void opened_by(std::size_t warp, const std::vector<std::uint64_t>& sectors, TracedStep& step, State& state);
  std::int16_t allocation_of(std::int64_t address) const;
  bool settle(MemoryAccess& access) const;

  const KernelCode& code_;
  const KernelLaunch& launch_;
  const AccessRules& rules_;
  KernelRunner runner_;
  LoadedData data_;
  std::vector<RegisterUse> uses_; // of each instruction, where dependences go by registers
  std::vector<TracedStep> steps_;
  std::multimap<std::uint64_t, std::uint32_t> numbers_; // of steps, by their hash
};

} // namespace perfmodel
