// Sectors that a launch writes piece by piece, and that L2 sends away before they are whole
// (models/access/partial_lines.hpp).
#pragma once

#include "kernel_time.hpp"

namespace perfmodel {

// The share of them, 0 to 1; 0 where a typical block writes none so. A block writes from when L2 takes its
// first store until it takes the last, and meets the lines of all blocks that write meanwhile. Throws
// InputError: a fact is missing.
template <class T> double share_sent_early(const Gpu& gpu, const KernelTime& launch, T& trace);

} // namespace perfmodel
