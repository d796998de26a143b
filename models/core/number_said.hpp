// The number that an answer is about, where its model names none.
#pragma once

#include "model.hpp"

#include <optional>

namespace perfmodel::detail {

// The chart's y, in the first row that has one; none where no table has it.
std::optional<NumberSaid> usual_number(const Model& model, const Result& result);

} // namespace perfmodel::detail
