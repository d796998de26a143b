// Banks of device memory between reading and writing. A bank takes t cycles to turn from the one to the
// other. While it is idle it writes what there is to write at once; a read that comes meanwhile waits until
// that is done and the bank has turned back. Under load writes wait until W of them are written in a row, so
// that one pair of turns serves W writes and W reads.
//   mean wait of a read at little load = u / 4 s ((s + 2 t)^2 + (s + t)^2)
//     u: share of the bandwidth that writes take, s: cycles of a line in a bank. Assumed is that a bank stays
//     as it turned last until it is asked, that a read finds it turned back if there was time to, and that
//     half of the writes come behind another
//   s B_read / B_copy = s + t / W
// Own measurements on an H200, 2026-11-22: beside copies of 0.89, 1.48 and 1.97 TB/s a load takes 75, 146 and
// 209 cycles more than alone, which turns of 156 to 180 cycles tell (probe loaded-latency); from the rate of
// a copy follow 37 writes in a row, and from them that of the triad (two reads, one write) to 0.1 %. The copy
// of the transpose ladder, held to so many resident blocks by shared memory,
// sustained 2.02, 2.70, 3.22, 3.50, 3.70 and 4.05 TB/s with 2, 3, 4, 5, 6 and 8:
// simulated 2.38, 2.88, 3.20, 3.47, 3.63 and 3.93, without turns 2.82, 3.67, 3.94, 4.01, 4.05 and 4.21. With
// one or two blocks it is 15 to 22 % fast: of the loads from an idle memory, too, a sixth takes longer, up to
// 540 cycles, and a block waits for the slowest.
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
