// What the warps of a block did, as far as time depends on it: instructions with what they ask of memory,
// each different one once, and every warp's as a list of them. Made by running the block; costs are not in it
// yet.
#pragma once

#include "access_rules.hpp"
#include "bank_memory.hpp"
#include "block_reads.hpp"
#include "cache_room.hpp"
#include "footprint.hpp"
#include "line_banks.hpp"
#include "register_dependences.hpp"
#include "traced_step.hpp"

#include "models/kernel/in_loops.hpp"
#include "models/kernel/older_code.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace perfmodel {

// What hardware counters would count.
struct TraceCounts {
  double instructions = 0, lanes = 0;
  double load_sectors = 0, store_sectors = 0; // of global memory, each of an instruction once
  double load_requests = 0, store_requests = 0;
  double load_transactions = 0, store_transactions = 0; // as the GPU's rules split accesses of global memory
  double store_lines = 0, store_lines_in_part = 0;      // asked of L2; not whole
  double load_moved = 0;                                // bytes of those of loads
  double parts = 0;                                     // half-warps and the like, of the same accesses
  double l2_read_sectors = 0;                           // that L1 does not have
  double shared_wavefronts = 0, shared_least = 0;
  double branches = 0, divergent = 0;
  double atomics = 0;

  void add(const TraceCounts& other, double times);
};

// Sectors of local memory, and what would be left of its stores if L1 wrote back what it has no room for.
struct LocalTraffic {
  double read = 0;    // from L2: on a first load, or after L1 had lost them
  double changed = 0; // by stores, so that L2 has them otherwise until they are written back
  double written = 0; // to L2
  double touched = 0; // different ones
  double read_lines = 0, changed_lines = 0; // of an access that reads so, and that changes some

  void add(const LocalTraffic& other, double times);
};

// Two stretches of a warp's steps, alike, one after the other, that are followed by more of them, left out.
struct LeftOut {
  std::size_t from = 0, length = 0; // of the first, and steps of each
  std::uint64_t times = 0;
  // With a share of those that follow.
  std::uint64_t stretches(double share) const {
    return 2 + static_cast<std::uint64_t>(std::llround(share * static_cast<double>(times)));
  }
  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

struct BlockTrace {
  std::vector<std::vector<std::uint32_t>> warps; // of the tracer's steps
  std::vector<std::vector<LeftOut>> left_out;    // of each warp, by rising places; all else includes them
  BlockFootprint footprint;
  std::vector<double> read_sectors;       // by allocation, beyond L1
  std::vector<double> sectors_again;      // those of them that the block had had before, and L2 has
  std::vector<double> sectors_lost;       // those that it had had, and L2 has no more; of whole atoms
  std::vector<double> lost_alone;         // of these, those of atoms that an access reads alone of their row
  std::vector<double> least_read_sectors; // of accesses side by side it would be as many
  // By allocation, each of an instruction once, but for stores to lines that the warp has just opened.
  std::vector<double> stored_sectors;
  std::vector<double> sectors_rewritten; // that it had stored to before, and L2 has written since
  std::vector<double> rewritten_alone;   // of these, those of lines of which an access stores a part
  std::vector<double> refilled_sectors;  // and those of which L2 had a part: it has read the rest
  LocalTraffic local;
  double pieced_lines = 0; // that have a sector which stores fill one after the other
  // Sectors that a warp fills so, which are not loaded; stores that fill one of them; of all of them those
  // that are partly written at a time, in the mean of the time in which the block stores.
  double filled_sectors = 0, pieces_of_sector = 0, open_sectors = 0;
  TraceCounts counts;
  BlockRun run;
  // The steps of a warp with a share, 0 to 1, of what was left out of each loop.
  std::vector<std::uint32_t> steps_with(std::size_t warp, double share) const;
  // Each step that is listed, with how often it was taken there.
  template <class F> void for_each_step(F f) const {
    for (std::size_t w = 0; w < warps.size(); ++w) {
      for (const std::uint32_t number : warps[w]) f(number, std::uint64_t{1});
      for (const LeftOut& one : left_out[w])
        for (std::size_t n = 0; n < one.length; ++n) f(warps[w][one.from + n], one.times);
    }
  }
  // Steps of all warps: that are listed, and such a share of those that were left out.
  double listed_steps() const;
  double steps_left_out(double share) const;
  // Where addresses or branches go by stand-ins for data, no two blocks do quite the same: then about as
  // much.
  friend bool same_work(const BlockTrace& a, const BlockTrace& b) {
    const auto by_data = [](const BlockTrace& t) { return t.run.indexed > 0 || t.run.tossed > 0; };
    return (a.warps == b.warps && a.left_out == b.left_out) || (by_data(a) && by_data(b) && as_much(a, b));
  }
  // Neither asks, or does, twice as much as the other.
  friend bool as_much(const BlockTrace& a, const BlockTrace& b) {
    const auto near = [](double one, double other) {
      return std::fabs(one - other) <= 0.5 * std::max(one, other);
    };
    return near(a.counts.instructions, b.counts.instructions) &&
           near(a.counts.load_requests, b.counts.load_requests) &&
           near(a.counts.store_requests, b.counts.store_requests);
  }
};

struct OpeningStore;

class BlockTracer {
public:
  // Refers to all of them. `reads`: those of the launch that are known. Throws InputError: an address that
  // is not known, by line.
  BlockTracer(const KernelCode& code, const KernelLaunch& launch, const AccessRules& rules, LoadedData data,
              std::shared_ptr<LaunchReads> reads = std::make_shared<LaunchReads>());

  // Trips of loops that only repeat others are left out.
  BlockTrace trace(std::int64_t block) { return traced(block, true); }
  BlockTrace trace_every_trip(std::int64_t block) { return traced(block, false); }
  const std::vector<TracedStep>& steps() const { return steps_; }
  // Whether all traces so far would be the same where a block has as much of L1 and of L2 as these rules say;
  // and that it has from now on what its own say.
  bool same_with(const AccessRules& rules) const {
    return l1_.same_with(rules.l1_bytes * rules.l1_spread.first) &&
           all_l1_.same_with(rules.l1_bytes * rules.l1_spread.last) && l2_.same_with(rules.l2_bytes);
  }
  void go_on() {
    l1_.become(rules_.l1_bytes * rules_.l1_spread.first);
    all_l1_.become(rules_.l1_bytes * rules_.l1_spread.last);
    l2_.become(rules_.l2_bytes);
  }

private:
  struct State;
  struct LastLoads { // by an instruction
    struct Load {
      std::size_t count = 0; // that the warp has made
      std::int64_t first = 0, last = 0;
    };
    std::vector<Load> of_warp;
    bool apart = false; // those of two warps next to each other
  };
  struct OpenedRow { // of device memory, by a warp
    std::uint32_t instruction = ~std::uint32_t{0};
    std::int64_t first = 0;
  };
  class Stretches;
  BlockTrace traced(std::int64_t block, bool leaves_out);
  TracedStep step_of(const Executed& executed, State& state);
  // `copied_to`: in shared memory, of a copy; else null.
  void global(const MemoryAccess& access, const MemoryAccess* copied_to, std::size_t warp, TracedStep& step,
              State& state);
  // From what the warp before it has loaded by the same instruction as often.
  static bool lies_apart(const MemoryAccess& access, std::size_t warp, LastLoads& last);
  // Of the row that an instruction before this one has opened; else it opens one. Places are told from one
  // another, not from where rows begin, so that trips of a loop are alike.
  static bool lies_in_row(std::int64_t address, std::uint32_t instruction, OpenedRow& row);
  static void split(const MemoryAccess& access, const CoalescingRule& rule, double sectors,
                    TraceCounts& counts);
  // What became of sectors that are asked for, all of which the block has had: L2 has kept them, or lost a
  // share of them. Neither: it has not had them all, or it is open.
  struct Had {
    bool kept = false;
    double lost = 0;
  };
  // The share that L2 has lost of what this access of the block has touched.
  double lost_since(const State& state, std::uint32_t access);
  bool stored_whole(const State& state, std::size_t slot, std::uint64_t atom);
  Had had_before(const State& state, std::size_t slot, const std::vector<std::uint64_t>& sectors);
  void shared(const MemoryAccess& access, TracedStep& step, State& state) const;
  static bool local_sector(std::uint64_t sector, const MemoryAccess& access, State& state);
  void local(MemoryAccess access, std::size_t warp, TracedStep& step, State& state);
  std::uint32_t number_of(const TracedStep& step);
  bool is_branch(const Executed& executed) const {
    return code_.instructions[executed.instruction].is("BRA");
  }
  // Whether it accesses nothing, is no barrier and leaves L1 as it is: its step is then the same each time,
  // but for being taken and for what it waits for.
  bool is_plain(const Executed& executed) const;
  std::uint32_t number_of_plain(const Executed& executed, TraceCounts& counts);
  // Block_stores.cpp.
  void find_open_lines(std::size_t warp, const std::vector<std::uint64_t>& sectors, TracedStep& step,
                       State& state);
  bool opened_beside(const OpeningStore& now, TracedStep& step, State& state);
  void goes_on(State& state);
  // What a store to global memory leaves in L2.
  void store(const MemoryAccess& access, const std::vector<std::uint64_t>& sectors, std::size_t warp,
             std::size_t slot, TracedStep& step, State& state);
  std::int16_t allocation_of(std::int64_t address) const;
  bool settle(MemoryAccess& access) const;

  const KernelCode& code_;
  const KernelLaunch& launch_;
  const AccessRules& rules_;
  std::vector<bool> in_loops_; // of each instruction
  // Tracers of other launches have it, too.
  std::shared_ptr<RememberedBankSteps> of_banks_ = remembered_bank_steps(rules_.banks);
  RememberedBankSteps& bank_steps_ = *of_banks_;
  std::vector<OlderInstruction> older_; // of each instruction
  KernelRunner runner_;
  LoadedData data_;
  std::shared_ptr<LaunchReads> reads_; // tracers by other rules have them, too
  std::optional<bool> neighbours_; // whether the first block that read anything read what others of its SM do
  RegisterDependences dependences_; // of the block that is traced, where they go by registers
  MeetingLines meeting_;
  CacheRoom l1_, all_l1_, l2_; // of L1 by its first set, and by its last
  std::vector<TracedStep> steps_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_; // of steps, by their hash
  static constexpr std::uint32_t no_step = ~std::uint32_t{0};
  std::vector<std::array<std::uint32_t, 4>>
      plain_;              // of each instruction: its step's number, where it was met
  std::int64_t frame_ = 0; // of a thread in local memory; 0: not known
};

} // namespace perfmodel
