// Which steps of a derivation lead to one of its symbols.
#pragma once

#include "models/core/result.hpp"

#include <string_view>
#include <vector>

namespace perfmodel::cli {

// The last step with that symbol and all that its formula needs, directly or through other steps, in the
// order of the derivation; empty where there is no such step.
std::vector<Step> needed_steps(const Derivation& derivation, std::string_view symbol);

} // namespace perfmodel::cli
