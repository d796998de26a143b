// The last lines of a command's help: commands to copy. A test runs each of them.
#pragma once

#include "models/core/model.hpp"

#include <string>
#include <vector>

namespace perfmodel::cli {

// "Examples:" and a line for each.
std::string examples_text(const std::vector<std::string>& commands);

// Those that a model declares, with what they begin with: "perfmodel warp --hw h200 --block 8x8".
std::vector<std::string> examples_of(const Model& model);

} // namespace perfmodel::cli
