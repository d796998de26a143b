// A question asked about every GPU on its own, for `rank`.
#pragma once

#include "progress.hpp"
#include "ranking.hpp"

#include "models/core/gpu.hpp"
#include "models/core/model.hpp"

#include <span>
#include <string>
#include <vector>

namespace perfmodel::cli {

// The model `kernel`, GPUs side by side on all cores. Times of the launches that every GPU with an answer has
// one for, so that all did the same; a note where some are missing. In the order of `gpus`.
std::vector<RankedGpu> ranked_by_kernel(std::span<const Gpu> gpus, const Request& request, Progress& progress,
                                        std::vector<std::string>& notes);

// The least time of operations and bytes under the specified roofs, and their energy on GPUs of which the
// prices of an operation, of a byte and of a second are known. The request has the roofline's flops, bytes
// and precision.
std::vector<RankedGpu> ranked_by_work(std::span<const Gpu> gpus, const Request& request);

} // namespace perfmodel::cli
