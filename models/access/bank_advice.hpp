// What would remove bank conflicts: a longer row, another stride, x and y swapped. Nothing is advised that
// was not tried.
#pragma once

#include "models/core/bindings.hpp"
#include "models/core/expression/expression.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace perfmodel {

// Whether the access has no conflicts with that index and those names.
using ConflictFree = std::function<bool(const Expression& index, const Bindings& let)>;

// In words, "pitch = 33 (1 more), or swap x and y"; says so where nothing helps. Every name of `let` that
// `index` uses is tried with up to `most` more, and so is every factor in it that is as long as a row.
std::string bank_advice(const Expression& index, const Bindings& let, std::int64_t most,
                        const ConflictFree& conflict_free);

} // namespace perfmodel
