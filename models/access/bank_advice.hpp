// What would remove bank conflicts: a longer row, another stride, x and y swapped. Nothing is advised that
// was not tried.
#pragma once

#include "models/core/bindings.hpp"
#include "models/core/expression/expression.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perfmodel {

// Whether the access has no conflicts with that index and those names.
using ConflictFree = std::function<bool(const Expression& index, const Bindings& let)>;

// Each in words: "pitch = 33 (1 more)", "swap x and y". Every name of `let` that `index` uses is tried with
// up to `most` more, and so is every factor in it that is as long as a row. A name that `guard` uses, too,
// says who works, and is left alone.
std::vector<std::string> ways_without_conflicts(const Expression& index, const Expression& guard,
                                                const Bindings& let, std::int64_t most,
                                                const ConflictFree& conflict_free);

} // namespace perfmodel
