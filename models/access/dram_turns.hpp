// Banks of device memory between reading and writing. A bank takes t cycles to turn from the one to the
// other. While it is idle it writes what there is to write at once; a read that comes meanwhile waits until
// that is done and the bank has turned back. Under load writes wait until W of them are written in a row, so
// that one pair of turns serves W writes and W reads.
//   mean wait of a read at little load = u / 4 s ((s + 2 t)^2 + (s + t)^2)
//     u: share of the bandwidth that writes take, s: cycles of a line in a bank; half of the writes find the
//     bank turned to writing
//   s B_read / B_copy = s + t / W
// Own measurements on an H200, 2026-11-22: beside copies of 0.85, 1.44 and 1.93 TB/s a load takes 85, 159 and
// 212 cycles more than alone, which turns of 163 to 173 cycles tell (probe loaded-latency); from the rate of
// a copy follow 34 writes in a row, and from them that of the triad (two reads, one write) to 0.3 %. Kernels
// that copy with 1 to 8 resident blocks of 256 threads, four words each, come out within 11 % (models.md 4;
// without turns 40 %).
#pragma once

#include "models/core/gpu.hpp"

namespace perfmodel {

// The turn for which reads wait so long (cycles) at little load. 0 where they wait less than for writes
// alone.
double turn_of(double service, double wait, double share_of_writes);
// That wait.
double wait_for_turns(double service, double turn, double share_of_writes);
// W, at least 1; 0 where copies are as fast as reads. Bandwidths in the same unit.
double writes_in_a_row(double service, double turn, double read_bandwidth, double copy_bandwidth);

} // namespace perfmodel
