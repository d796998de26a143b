// The usual picture of a launch: its time alone would be one bar.
#pragma once

#include "models/core/model.hpp"

#include <span>

namespace perfmodel::cli {

// Whether it is of what is busy while the launch runs: of one launch on few GPUs, where no view was asked
// for. The request then asks for that view.
bool ask_what_is_busy(const Model& model, std::span<const Gpu> gpus, Request& request);

// The chart of such an answer: how busy each unit is, by GPU.
void draw_what_is_busy(Result& result);

} // namespace perfmodel::cli
