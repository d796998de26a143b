// The last words of an answer: which numbers it rests on that no data sheet has.
#pragma once

#include "models/core/result.hpp"

#include <string>

namespace perfmodel::cli {

// How many of them were measured, fitted, printed by somebody, inherited or assumed, and which nobody
// measured on this GPU; a few that fit one line are named with values. Of an answer that is explained, and of
// a comparison, all with their values, under each probe and file that they come from. Lines of at most
// `columns`; "" where an answer predicts nothing.
std::string constants_text(const Result& result, std::size_t columns);

} // namespace perfmodel::cli
