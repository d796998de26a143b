// What the warps of a block did in stretches of trips of their loops, so that more trips like those can be
// left out of its trace: counts and bytes go on in proportion, the places that are read as the accesses have
// moved on. Only where two stretches are the same steps, and every access of memory has moved on by as much
// for all lanes, by whole atoms in global memory.
#pragma once

#include "traced_block.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace perfmodel {

class BlockTracer::Stretches : public TripFollower {
public:
  // Of the block of `state`, whose steps are numbers of `steps`. `atom`: bytes in which device memory is
  // read.
  Stretches(State& state, const std::vector<TracedStep>& steps, std::uint64_t atom)
      : state_(state), made_(state.made), steps_(steps), atom_(atom), warps_(state.made.warps.size()) {}

  void begins(std::size_t warp) override;
  std::uint64_t leaves_out(std::size_t warp, std::uint64_t times) override;

  // Sectors that are read, that would be read side by side, stored, read again of L2, and again of device
  // memory, and stored again; of these two those that come alone, and of the last those that are refilled.
  using Counted = std::array<double, 9>;
  // What of the block changes with a step.
  struct Before {
    TraceCounts counts;
    Counted sectors{}; // of all allocations
  };
  Before before(const Executed& executed) const;
  // A step that was taken.
  void add(const Executed& executed, const TracedStep& step, const Before& before);
  // One that accesses nothing.
  void add_plain(const Executed& executed, bool branches);
  bool any() const { return any_; } // were left out

private:
  struct Access {
    std::uint32_t instruction = 0;
    std::uint32_t fetched_by = 0; // of what L1 had of it: another instruction, or this one
    std::size_t slot = 0;
    Space space = Space::none;
    std::int64_t address = 0; // of its first lane
    std::uint64_t lanes = 0;  // where the others lie beside it, in one number
    State::Touched touched;
  };
  struct Stretch {
    std::size_t place = 0; // in the warp's list of steps
    bool by_data = false;  // an address went by loaded data
    TraceCounts counts;
    std::vector<Counted> sectors; // by allocation
    std::vector<Access> accesses;
  };
  using Warp = std::vector<Stretch>; // the last ones, at most three
  // What a warp looked for in L1 in trips that were left out: sectors, and how many further on each time.
  struct Leap {
    std::size_t warp = 0;
    std::uint64_t times = 0;
    std::vector<std::pair<std::uint64_t, std::int64_t>> sectors;
  };

  // Whether it may ask L1 or what is beyond for sectors; accesses of shared and constant memory do not.
  static bool moves_sectors(const Executed& executed);
  // How many of so many more stretches find in L1 what the last one found there of what other code has
  // fetched, as on the way back through an array: that ends where L1 has lost it.
  std::uint64_t still_in_l1(const Stretch& first, const Stretch& second, std::uint64_t times) const;
  void touch(const Access& access, std::size_t warp, std::int64_t onward);
  void leap(Leap one);
  void fill_l1();
  // `in_turn`: set where one fetches what neighbours fetch in the other.
  bool same_step(std::uint32_t a, std::uint32_t b, bool& in_turn) const;
  bool alike(std::size_t warp, const Stretch& first, const Stretch& second, std::size_t end) const;
  Counted sectors_of(std::size_t slot) const {
    return {made_.read_sectors[slot],  made_.least_read_sectors[slot], made_.stored_sectors[slot],
            made_.sectors_again[slot], made_.sectors_lost[slot],       made_.sectors_rewritten[slot],
            made_.lost_alone[slot],    made_.rewritten_alone[slot],    made_.refilled_sectors[slot]};
  }
  std::size_t slot_of(const TracedStep& step) const {
    return step.allocation < 0 ? made_.read_sectors.size() - 1 : static_cast<std::size_t>(step.allocation);
  }

  State& state_;
  BlockTrace& made_;
  const std::vector<TracedStep>& steps_;
  std::uint64_t atom_;
  bool any_ = false;
  double places_ = 0; // sectors and atoms of the accesses that were left out
  std::vector<Warp> warps_;
  std::vector<Leap> leaps_; // of different warps, until all have made one: L1 then sees them side by side
};

} // namespace perfmodel
