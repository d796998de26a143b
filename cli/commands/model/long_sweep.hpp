// Sweeps that nobody could wait for, or whose rows no memory holds, are refused before they begin.
#pragma once

#include "models/core/model.hpp"

#include <chrono>
#include <span>

namespace perfmodel::cli {

constexpr std::chrono::hours longest_sweep{1};

// What some points of the grid take, spread over it, is taken for what all do: of a model in closed form 10
// million take half a minute, of one that is simulated a day. With `held` all rows are kept until the end, as
// for a picture, which a million points are room enough for. Short sweeps are not tried. Throws InputError.
void refuse_long_sweep(const Model& model, std::span<const Gpu> gpus, const Request& request, bool held,
                       std::chrono::duration<double> longest = longest_sweep);

} // namespace perfmodel::cli
