// What a model's command draws where nobody says what.
#pragma once

#include "question.hpp"

namespace perfmodel::cli {

// A picture of one point would be one bar: it is of the model's default sweep, where the question allows
// that. One over another input is of few values of the model's x; then the name of that input is returned,
// else "".
std::string sweep_for_picture(const Model& model, std::span<const Gpu> gpus, const AnswerOptions& answer,
                              Request& request);

// A line for each value of the model's x, over another input.
void draw_over(const std::string& input, const Model& model, Result& result);

// --draw: a drawing is of one device, and stands alone. Throws InputError.
void give_drawing(const Model& model, Context& context, const ModelOptions& options);

} // namespace perfmodel::cli
