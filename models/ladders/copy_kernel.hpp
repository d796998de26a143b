// The lecture's copy as machine code: a thread loads some words, stores them, and leaves. A text of our own,
// which any number of words can be put into. It lacks an encoding, so that what waits for what follows from
// registers. Lowered by nvcc 13.0 for sm_90 the same source has more arithmetic for its addresses
// (hwdb/kernels/memory-parallelism); the times of both are alike.
// After R. Vuduc, CSE 6230, 2014, slides 41 to 44.
#pragma once

#include "models/core/units.hpp"
#include "models/kernel/listing.hpp"

namespace perfmodel {

// Registers of a thread: addresses, what the compiler keeps beside the words, and the words.
Count copy_registers(Count words, Bytes word);

// A block of so many threads copies words x threads of them, each word of a thread `threads` beyond the one
// before. Arguments: from, to. `word`: 4, 8 or 16 bytes. Made once for each; stays valid in its thread.
const KernelCode& copy_kernel(Count threads, Count words, Bytes word);

} // namespace perfmodel
