// A launch of the pattern that coalescing is asked about, whose threads have no more than so many words in
// flight.
#pragma once

#include "coalescing.hpp"

#include "models/simulate/pattern_time.hpp"

namespace perfmodel {

// Over a gibibyte of words and what lies between them, and at least 20 blocks of each SM, as far as 32 bits
// number the words; or the grid that is given. `in.ilp` is. Throws InputError: words by an expression, a
// condition, textures or a choice of caches, more words than that.
template <class T> KernelTime coalescing_launch(const Gpu& gpu, const Coalescing::Input& in, T& trace);

} // namespace perfmodel
