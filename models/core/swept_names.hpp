// A sweep by names of the user's (--let n=1:64) as numbers: keys of a table, and what a chart may draw over.
#pragma once

#include "model.hpp"

namespace perfmodel {

// One axis for each name of a bindings option's axis, in the order given: the name of its column and its
// different values. A name that a column, an option or a fact has already becomes "let.NAME".
std::vector<Axis> swept_names(const Model& model, const Axis& axis);

} // namespace perfmodel
