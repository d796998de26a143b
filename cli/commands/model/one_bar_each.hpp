// A bar for each GPU, where those of every GPU at every ceiling, or of every version, or a line of each,
// would be too many to read.
#pragma once

#include "cli/answer.hpp"
#include "models/core/model.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perfmodel::cli {

inline constexpr std::size_t most_beside_each_other = 9; // GPUs, of which each has bars of its own

// Whether the usual picture of these GPUs would have too many bars or lines, and has one bar each instead.
bool needs_one_bar_each(const Model& model, std::span<const Gpu> gpus, const Request& request,
                        const AnswerOptions& answer);

// The oldest first; those whose year nobody knows, last.
std::vector<Gpu> by_year(std::vector<Gpu> gpus);

// Asks for specified rates alone, where nobody said which: no GPU is without them.
void ask_for_specified(const Model& model, Request& request);

// Leaves of the charted table one row for each GPU: of versions the fastest, else what most GPUs have a row
// of. Returns what that is, such as "ceiling fp32"; "" where nothing is left out.
std::string draw_one_bar_each(const Model& model, Result& result, std::span<const Gpu> gpus);

} // namespace perfmodel::cli
