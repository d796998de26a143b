// Lines that L2 sends to device memory before they are whole. Of the lines of a set that are partly written
// it keeps `ways`; the one that was written first has to leave when one more comes. What leaves partly
// written costs device memory twice: the rest of each sector is read, 32 bytes, and the sector is written
// again when it is whole.
//   share sent early = P(others in its set >= ways),  others ~ Poisson(others of all sets / sets)
// as addresses are hashed to sets. Own measurement on an H200, 2026-11-22 (probe partial-lines): lines of a
// column, each written in two halves with all others between: 2.2 % of 16 384 lines, 10 % of 32 768, 35 % of
// 65 536, which 16 741 sets of 3 tell to 6 % of the share and 0.4 % of the lines; of 98 304 56 %, told 10 %
// low. Neighbouring lines spread more evenly, and fewer of them leave. Whole lines, written or read, send
// none away before L2 has been filled with them.
#pragma once

namespace perfmodel {

struct PartialLines {
  double sets = 0, ways = 0; // facts l2.partial_sets, l2.partial_ways; both above 0
};

// Of a line, while which is partly written so many others come to be: how likely it is sent away. 0 to 1.
double sent_early(const PartialLines& l2, double others);

// Of so many lines that come at once and are completed in the same order: the share that was sent away.
double sent_early_of_all(const PartialLines& l2, double lines);

} // namespace perfmodel
