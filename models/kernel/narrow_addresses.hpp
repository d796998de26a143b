// What code with addresses of 64 bits would do with addresses of 32: what makes only the upper words of
// addresses is not there.
#pragma once

#include "listing.hpp"
#include "register_use.hpp"

#include <vector>

namespace perfmodel {

// Of each instruction, whether anything comes of it but upper words of addresses; of a product of 64 bits
// (IMAD.WIDE), whether its upper word matters. `uses`: of each instruction. Branches are not followed but by
// the order of the listing and its loops: where it is not clear who has written a register, all count that
// may have.
struct NarrowAddresses {
  std::vector<bool> needed, upper_needed;
};
NarrowAddresses with_narrow_addresses(const KernelCode& code, const std::vector<RegisterUse>& uses);

} // namespace perfmodel
