// What lectures and papers print about a GPU, beside what is predicted of it.
#pragma once

#include "context.hpp"
#include "models/validation/series.hpp"

#include <string_view>
#include <vector>

namespace perfmodel::cli {

// Series of a card with this GPU's chip that their source does not name, and that it may be.
std::vector<Series> published_of_chip(Context& context, const Gpu& gpu);

// All that is published of this model about a GPU of the database or its chip, and what holds on any GPU; of
// the numbers alone that a prediction can be held against. Empty: nothing is.
std::vector<Series> published_series(Context& context, const Gpu& gpu, std::string_view model);

} // namespace perfmodel::cli
