// The same question about several listings, side by side: kernel softmax,softmax-online.
#pragma once

#include "question.hpp"

namespace perfmodel::cli {

// Throws InputError where an option is of one listing alone.
void run_several(const Model& model, Context& context, const ModelOptions& options,
                 const std::vector<std::string>& listings);

} // namespace perfmodel::cli
