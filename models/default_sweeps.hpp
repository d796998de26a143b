// What a picture of a model shows along its x where nobody asks for a sweep: one point would be one bar,
// and dozens of lines are none that one can follow.
#pragma once

#include "models/core/model.hpp"

#include <optional>

namespace perfmodel {

// None where the model's answer has several points anyway, such as the rungs of a ladder.
std::optional<Axis> default_sweep(const Model& model);

// A few values of the model's x, for a picture over another input: all of them would be a line each. None
// where the model's x has one value unless it is asked for.
std::optional<Axis> few_of_x(const Model& model);

} // namespace perfmodel
