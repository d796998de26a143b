// An earlier profile of the same program beside a profile: which kernels take longer than they did.
#pragma once

#include "models/core/result.hpp"
#include "models/validation/profile.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace perfmodel::cli {

struct BesideBefore {
  Table table;                    // a row for each kernel of either profile, the one that lost most first
  std::string verdict;            // a sentence
  std::vector<std::string> notes; // which kernels are in one of them alone
  std::size_t slower = 0;         // kernels that take longer by more than the limit
};

// Kernels meet by name, grid, block and compute capability; where several are the same in these (they did
// other work), in the order of their time. `names` are short, of each of `now`; `file` is where `before` was
// read from. `limit` is a fraction, or absent: then nothing counts as slower. Throws InputError: no kernel
// that was timed is in both.
BesideBefore beside_before(const std::vector<ProfiledKernel>& now, const std::vector<std::string>& names,
                           const std::vector<ProfiledKernel>& before, const std::string& file, double limit);

} // namespace perfmodel::cli
