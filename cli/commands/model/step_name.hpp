// `i` in the expressions of a model that knows no steps.
#pragma once

#include "question.hpp"

namespace perfmodel::cli {

// In an expression `i` is the step of a branch that is met several times, and 0 where nothing is. Who writes
// a[i*32] in a kernel means the thread: a question of one word for all threads is none that anybody has.
// Throws InputError: an expression of such a model names `i`, which --let does not.
void refuse_step_without_steps(const Model& model, const ModelInputs& inputs);

} // namespace perfmodel::cli
