// Which instructions have to be computed so that a kernel's way and addresses come out: those whose results,
// followed through registers along every path, may reach a guard, a branch, an address, or memory that is
// read again. The others, often most, only move or combine data; what they do is known without their values
// (backward slicing: M. Weiser, Program Slicing, ICSE 1981).
#pragma once

#include "listing.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace perfmodel {

struct SliceRules {
  // What is stored to shared memory counts as read again, or, where it is followed, as read by whatever loads
  // from it.
  bool follows_shared = false;
  bool follows_global = false; // the same of what a block stores to global memory
  bool in_order = false;       // other blocks read what is stored for all SMs to see (STRONG)
  // The guard of an instruction that only computes says which lanes take part, and nothing of where the warp
  // goes: it matters as much as the result does.
  bool ways_alone = false;
  // Registers (places of register_use.hpp) that somebody looks at besides, by the instruction where.
  std::multimap<std::size_t, std::uint16_t> also;
};

// Of each instruction, whether its result may matter. `targets`: of each, the instruction that it may lead to
// beside the next one; none at or beyond the end. A return leads behind every call. All of them matter where
// the code jumps or calls by a register.
std::vector<bool> instructions_that_matter(const KernelCode& code, const std::vector<std::size_t>& targets,
                                           const SliceRules& rules = {});

} // namespace perfmodel
