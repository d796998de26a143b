// What a view of a launch says, before its table.
#pragma once

#include "models/core/model.hpp"

#include <span>

namespace perfmodel::cli {

// Of --view stalls what warps wait for most, of --view pipes the busiest unit, of each GPU. Nothing of
// several launches.
void say_view(const Model& model, const Request& request, std::span<const Gpu> gpus, Result& result);

// "h200: axpy takes 37 us on h200, ..." names the GPU twice: once is enough.
void name_gpus_once(std::span<const Gpu> gpus, Result& result);

} // namespace perfmodel::cli
