// Sectors that a launch writes piece by piece, and that L2 sends away before they are whole
// (models/access/partial_lines.hpp).
#pragma once

#include "block_trace.hpp"
#include "kernel_time.hpp"

namespace perfmodel {

// The share of them, 0 to 1; 0 where a typical block writes none so. A block writes from when L2 takes its
// first store until it takes the last, and meets the lines of all blocks that write meanwhile. Throws
// InputError: a fact is missing.
template <class T> double share_sent_early(const Gpu& gpu, const KernelTime& launch, T& trace);

// The same of sectors that a warp fills alone, of a launch that has been simulated, whose blocks each have so
// many partly written at a time, in the mean of all blocks; those of all warps count, four to a line, as the
// probe has them. (Rows of the threads' own that are filled word by word, H200, 30 November 2026: of 33, 67,
// 135, 203 and 270 thousand rows this says that 5, 18, 45, 67 and 81 % of the sectors are sent early; device
// memory wrote 0 to 10, 14 to 35, 30 to 60, 60 to 90 and 90 to 120 % of them once more.)
template <class T>
double share_filled_early(const Gpu& gpu, const KernelTime& launch, double open_sectors, T& trace);

// Sectors that a warp of a typical block fills and L2 has not lost in between: those are counted as lost.
double filled_and_kept(const BlockTrace& typical);

// What L2 does more for each part that is stored, as a share of what it takes: a sector that was sent early
// is read, written when device memory has brought what it lacked, and written once more when the next part
// has come, each as long as a part that is stored (assumed; full SMs that fill rows so were a quarter slower
// than few, 30 % more work). The bytes that device memory moves for it take no time of its own here: it was
// never busy with them.
double more_for_parts(const BlockTrace& typical, double early);

} // namespace perfmodel
