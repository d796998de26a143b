// What would remove the cost of an access pattern, in words; before it a warning where every block touches
// the same words, which is seldom meant.
#pragma once

#include "models/access/pattern_walk.hpp"

#include <cstdint>
#include <string>

namespace perfmodel {

std::string advice_on(const PatternCounts& counts, std::int64_t word, const Coalescing::Input& in);

// Of reads by another path than plain loads, whose bandwidth is `gain` times that of these.
std::string advice_on_path(double gain);

} // namespace perfmodel
