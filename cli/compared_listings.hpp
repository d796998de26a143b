// Several listings in one question of `kernel`: softmax,softmax-online. Each is asked by itself, and a row
// for each stands beside the others'.
#pragma once

#include "context.hpp"

#include "models/core/result.hpp"

#include <string>
#include <utility>
#include <vector>

namespace perfmodel::cli {

// The words between commas; none where there is one, or a file of that whole name.
std::vector<std::string> several_listings(const std::string& listing);

// Of each listing the answer to the same question, in order. The gain is over the first on the same GPU.
Result compared_listings(std::vector<std::pair<std::string, Result>> answers);

} // namespace perfmodel::cli
