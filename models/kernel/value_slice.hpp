// Which instructions have to be computed so that a kernel's way and addresses come out: those whose results,
// followed through registers along every path, may reach a guard, a branch, an address, or memory that is
// read again. The others, often most, only move or combine data; what they do is known without their values
// (backward slicing: M. Weiser, Program Slicing, ICSE 1981).
#pragma once

#include "listing.hpp"

#include <cstddef>
#include <vector>

namespace perfmodel {

// Of each instruction, whether its result may matter. `targets`: of each, the instruction that it may lead to
// beside the next one; none at or beyond the end. All of them matter where the code calls or jumps by a
// register. What is stored to shared memory counts as read again, or, where `follows_shared`, as read by
// whatever loads from it. Where `in_order`, other blocks read what is stored for all SMs to see (STRONG).
std::vector<bool> instructions_that_matter(const KernelCode& code, const std::vector<std::size_t>& targets,
                                           bool follows_shared = false, bool in_order = false);

} // namespace perfmodel
