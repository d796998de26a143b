// Of which bandwidth a share is.
#pragma once

#include "models/core/gpu.hpp"
#include "models/core/model.hpp"
#include "models/core/result.hpp"

#include <span>

namespace perfmodel::cli {

// Where an answer tells a share of a bandwidth and no table of it has both: a note with what the pins of
// device memory carry and what streams reach. `facts` are those that --set changes; of one that is swept
// there is no one bandwidth, and no note.
void name_bandwidths(Result& result, std::span<const Gpu> gpus, std::span<const Axis> facts);

} // namespace perfmodel::cli
