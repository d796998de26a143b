// What suffix sums of a block take, whoever runs them.
#pragma once

#include "suffix_sums.hpp"

#include <cstdint>

namespace perfmodel {

struct ScanCounts {
  std::int64_t steps = 0, barriers = 0, additions = 0;
};
ScanCounts scan_counts(ScanVersion version, std::int64_t n);

// Whole warps.
std::int64_t threads_of(std::int64_t n);

// Words of shared memory that a block takes.
std::int64_t scan_words(ScanVersion version, std::int64_t n);

} // namespace perfmodel
