// Of many GPUs one sentence before the tables, in place of one for each.
#pragma once

#include "models/core/model.hpp"

#include <span>

namespace perfmodel::cli {

// Where more GPUs are asked than are read one after another, the verdict becomes the range of the number that
// the first sentence is about, among the rows of all that have the same keys. Nothing of fewer GPUs, or where
// some have no sentence.
void say_many_at_once(std::span<const Gpu> gpus, Result& result);

} // namespace perfmodel::cli
