// One series for all GPUs that have the same answer, where those of every GPU would be too many to read.
#pragma once

#include "cli/answer.hpp"
#include "models/core/result.hpp"

#include <cstddef>
#include <string>

namespace perfmodel::cli {

// Whether the usual picture of these GPUs would have too many lines, or bars beside each other.
bool needs_alike_joined(const Result& result, std::size_t gpus, const AnswerOptions& answer);

// Leaves of the charted table the rows of one GPU for all that have the same numbers in the chart, and names
// it after them: "p100, p100-pcie", "c1060 and 4 more". Returns who they are, in a sentence that the result
// is noted with; "" where there are not fewer series now.
std::string join_alike(Result& result);

} // namespace perfmodel::cli
