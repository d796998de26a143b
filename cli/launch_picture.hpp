// The usual picture of a launch: its time alone would be one bar.
#pragma once

#include "models/core/model.hpp"

#include <span>

namespace perfmodel::cli {

// Whether it is of what a view shows: of one launch on few GPUs. Where no view was asked for, the request
// then asks for what is busy.
bool asks_for_bars_of_a_view(const Model& model, std::span<const Gpu> gpus, Request& request);

// The chart of such an answer, by GPU: how busy each unit is, or what the view that was asked for shows.
void draw_view(Result& result);

} // namespace perfmodel::cli
