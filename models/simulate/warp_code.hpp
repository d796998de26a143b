// The steps of one warp, written down in its order: instructions by class, accesses, barriers.
#pragma once

#include "sm_model.hpp"

namespace perfmodel {

// What a warp's access of global memory takes.
struct Traffic {
  double wavefronts = 1; // of L1
  double l2_bytes = 0;   // between L2 and the SM
  double dram_bytes = 0; // 0: its data are found in L2
  double registers = 1;  // of a lane, that it fills or stores
};

// What the hardware counts of a warp.
struct WarpCounts {
  double instructions = 0, wavefronts = 0; // of shared memory
};

class WarpCode {
public:
  explicit WarpCode(const SmModel& sm) : sm_(&sm) {}

  // Independent of each other; the first of them waits.
  WarpCode& run(std::string_view name, std::int64_t count = 1, WarpWait wait = WarpWait::nothing);
  // Each waits for the one before.
  WarpCode& chain(std::string_view name, std::int64_t count = 1, WarpWait wait = WarpWait::results);
  // Shared memory: one access of so many wavefronts.
  WarpCode& shared_load(double wavefronts = 1, WarpWait wait = WarpWait::results, double registers = 1);
  WarpCode& shared_store(double wavefronts = 1, WarpWait wait = WarpWait::results, double registers = 1);
  WarpCode& load(const Traffic& traffic, WarpWait wait = WarpWait::results);
  WarpCode& store(const Traffic& traffic, WarpWait wait = WarpWait::results);
  WarpCode& count_up(); // one lane adds to a word in L2 that all blocks count with
  WarpCode& constant_load(WarpWait wait = WarpWait::results); // of an argument of the kernel
  WarpCode& barrier();
  // Issue slots and nothing else: moves, what is predicated off, what other pipes do on the way.
  WarpCode& slots(std::int64_t count, WarpWait wait = WarpWait::nothing);
  // A comparison whose outcome guards the next step that waits for results.
  WarpCode& compare(WarpWait wait = WarpWait::results);
  // Accesses of shared memory that no lane makes: they are issued all the same.
  WarpCode& predicated_off(std::int64_t accesses, WarpWait wait = WarpWait::results);
  // What a loop does between two trips: count, compare, branch. `guarded`: the comparison comes just before.
  WarpCode& loop_end(bool guarded = false);
  // The start of a warp: `count` instructions up to its first address.
  WarpCode& enter(std::int64_t count);
  WarpCode& add(const WarpCode& code, std::int64_t times = 1);
  WarpCode& add(const WarpStep& step) {
    steps_.push_back(step);
    return *this;
  }

  const WarpProgram& steps() const { return steps_; }
  WarpCounts counts() const;

private:
  // A scheduler's way to memory, which an access keeps for the registers that it hands over or fills.
  UnitUse port_of(double registers) const;
  std::uint16_t path_of(double wavefronts, const UnitUse& port) const;
  WarpCode& slots_and_pause(std::int64_t count, double pause, WarpWait wait);
  WarpStep& push(const InstructionCost& cost, WarpWait wait);

  // Of loads that a step has waited for, L1's banks take in what came from L2: with it, or with the next.
  void take_in(WarpStep& step);

  const SmModel* sm_;
  WarpProgram steps_;
  double wavefronts_ = 0;
  double unwaited_ = 0, filled_ = 0; // loads that no step has waited for, and cycles of L1's banks for them
  double arrived_ = 0;               // cycles for loads that were waited for, not yet taken
};

} // namespace perfmodel
