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
// a copy follow 37 writes in a row, and from them that of the triad (two reads, one write) to 0.1 %. A copy
// of a word by each thread of blocks of 256, held to 1, 2, 4 and 8 of them on each SM by shared memory,
// sustained 430, 806, 1429 and 2590 GB/s on an H200 (2026-11-28); the simulation (memory_bank.hpp) is 3 %
// slow with one, 7 % fast with four, and 4 to 11 % fast with blocks of 1024 threads, which wait for the
// slowest of their loads.
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
