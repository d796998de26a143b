// The programs of the warps of traced blocks: lists of steps, each with whether L2 or device memory has what
// it loads, and where warps that load the same meet.
#pragma once

#include "memory_shares.hpp"
#include "miss_turns.hpp"
#include "sm_simulation.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace perfmodel {

class WarpPrograms {
public:
  // `made` has each of the steps twice, found in L2 and not. Refers to all three.
  WarpPrograms(const MemoryShares& shares, const std::vector<TracedStep>& steps, TracedBlocks& made)
      : shares_(shares), steps_(steps), made_(made), alike_(whoever_fetched(steps)),
        owed_(shares.missing.size()) {}

  // A kind of blocks: the steps of its warps.
  void add(WarpSteps warps);

private:
  // The step where it is found; of each allocation so many are not as its share says, in turn.
  std::uint32_t found_where(std::uint32_t number);
  // The step of a group of warps: `miss` for the first that comes, `hit` for the others.
  std::uint32_t meeting(std::uint32_t miss, std::uint32_t hit, std::size_t group);

  const MemoryShares& shares_;
  const std::vector<TracedStep>& steps_;
  TracedBlocks& made_;
  std::vector<std::uint32_t> alike_; // of each step, whoever has fetched
  std::vector<double> owed_;         // misses of each allocation
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t>, std::uint32_t> meetings_;
};

} // namespace perfmodel
