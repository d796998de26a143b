// Loops in which a warp does nothing but ask for a word of global memory again and again, until another block
// or warp has changed it.
#pragma once

#include "listing.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

// Which way of a branch leads into such a loop, or back in it, where the other one does not.
enum class WaitingWay : std::uint8_t { none, if_taken, if_not };
struct WaitingBranch {
  WaitingWay way = WaitingWay::none;
  bool again = false; // it stands in the loop: who comes there has asked once
};

// Of each instruction. `targets`: of each, the instruction to which it may jump; none at or beyond the end.
std::vector<WaitingBranch> waiting_branches(const KernelCode& code, const std::vector<std::size_t>& targets);

// Whether the code has such a loop.
bool waits_for_others(const KernelCode& code);

} // namespace perfmodel
