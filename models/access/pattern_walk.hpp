// The walk over a launch whose accesses of global memory are counted.
#pragma once

#include "models/access/coalescing.hpp"
#include "models/access/pattern_counter.hpp"

namespace perfmodel {

// The expression of stride, offset and permutation, or the one given.
Expression index_of(const Coalescing::Input& in);

// Throws InputError.
PatternCounts count_pattern(const Gpu& gpu, const Coalescing::Input& in, const DramPieces& pieces);

} // namespace perfmodel
