// What a picture of a model shows along its x where nobody asks for a sweep: one point would be one bar.
#pragma once

#include "models/core/model.hpp"

#include <optional>

namespace perfmodel {

// None where the model's answer has several points anyway, such as the rungs of a ladder.
std::optional<Axis> default_sweep(const Model& model);

} // namespace perfmodel
