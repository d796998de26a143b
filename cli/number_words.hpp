// What programmers call number formats: "double" for fp64.
#pragma once

#include "models/core/model.hpp"

#include <string>

namespace perfmodel::cli {

// The given words with those replaced that the option knows under another name: of choices such as fp32 and
// int32, or of the size of a word ("double": 8B), in any case ("FP64"). What it knows, and what nobody knows,
// stays as it is.
std::string with_known_words(const Option& option, const std::string& given);

} // namespace perfmodel::cli
