// Lines that L2 sends to device memory before they are whole. Of the lines of a set that are partly written
// it keeps `ways`; what is written to one more costs device memory twice: the rest of each sector is read, 32
// bytes, and the sector is written again when it is whole.
//   share sent early = P(others in its set >= ways),  others ~ Poisson(others of all sets / sets)
// as addresses are hashed to sets. Own measurement on an H200, 2026-11-22 (probe partial-lines): so many
// lines are written word by word, seven of eight of them partly written at any time; of their sectors are
// filled up 1.2 % of 4 096, 14 % of 16 384, 24 % of 24 576, which 22 013 sets of 2 tell to 4 % up to 20 480
// lines and to 6 % there; of more lines, whose words L2 takes no faster, fewer are filled than that says, 16
// % at 32 768. It is the same whether a word follows the one before after 1 000 or 10 000 cycles, and whether
// as many lines are read beside. Whole lines send none away before L2 is full.
#pragma once

namespace perfmodel {

struct PartialLines {
  double sets = 0, ways = 0; // facts l2.partial_sets, l2.partial_ways; both above 0
};

// Of a line, while which is partly written so many others come to be: how likely it is sent away. 0 to 1.
double sent_early(const PartialLines& l2, double others);

} // namespace perfmodel
