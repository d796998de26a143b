// What each model can draw beside its chart: the list, in the order of the help.
#pragma once

#include "drawing.hpp"

#include "models/core/model.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct DrawingKind {
  std::string_view model, name, help;
  // Of a request with one value for each input. Throws InputError, as the model does, and for a question that
  // has no such picture.
  Drawing (*draw)(const Gpu& gpu, const Request& request) = nullptr;
};

std::span<const DrawingKind> drawings();

// Those of a model. Empty: it has none.
std::vector<DrawingKind> drawings_of(std::string_view model);

// Throws InputError: the model has no drawing of that name (with those that it has), or an input has several
// values.
Drawing draw(std::string_view model, std::string_view name, const Gpu& gpu, const Request& request);

} // namespace perfmodel
