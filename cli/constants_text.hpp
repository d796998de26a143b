// The last words of an answer: which numbers it rests on that no data sheet has.
#pragma once

#include "models/core/result.hpp"

#include <string>

namespace perfmodel::cli {

// A sentence; of many constants, a list under each probe and file that they come from. Lines of at most
// `columns`; "" where an answer predicts nothing.
std::string constants_text(const Result& result, std::size_t columns);

} // namespace perfmodel::cli
