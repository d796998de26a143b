// Facts of a device that a request sets or sweeps.
#pragma once

#include "model.hpp"

#include <span>

namespace perfmodel::detail {

// With the first values of the facts. Every value is checked once, here, and not at every point of the grid:
// throws InputError.
Gpu start_of(Gpu gpu, const Request& request);

// A point's facts in place: copying a device at every point of a sweep would cost more than the model.
void move_facts(Gpu& gpu, const Request& request, std::span<const Value> facts);

} // namespace perfmodel::detail
