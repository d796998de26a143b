// A kernel whose threads access words in a pattern and leave, as machine code: a text of our own, which any
// pattern can be put into. Every thread accesses some words, all loads before the first store:
//   word number (gid + i x threads) x stride + offset,  i from 0 on,  gid = block x threads x words + thread,
// where the lanes of a warp may be in another order, lane -> (lane x factor + addend) mod 32. It lacks an
// encoding, so that what waits for what follows from registers. Lowered by nvcc 13.0 for sm_90 the lecture's
// copy has more arithmetic for its addresses (hwdb/kernels/memory-parallelism); the times of both are alike.
// After R. Vuduc, CSE 6230, 2014, slides 41 to 44.
#pragma once

#include "listing.hpp"

#include "models/core/units.hpp"

#include <algorithm>
#include <compare>

namespace perfmodel {

struct PatternKernel {
  int threads = 256; // of a block
  int words = 1;     // of a thread
  int word = 4;      // bytes: 1, 2, 4, 8 or 16
  bool loads = true, stores = true;
  std::int64_t stride = 1, offset = 0; // words
  int factor = 1, addend = 0;          // of the lanes' order
  auto operator<=>(const PatternKernel&) const = default;

  // Of a thread: addresses, what a compiler keeps beside the words, and the words.
  Count registers() const;
};

// As asked; or, if more, 65536: no block has so many threads, no thread so many words.
inline int within_reach(Count asked) { return static_cast<int>(std::min(asked, 65536.0)); }

// Arguments: from, to. Made once for each; stays valid in its thread.
const KernelCode& code_of(const PatternKernel& pattern);

} // namespace perfmodel
