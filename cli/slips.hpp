// Where an answer meets a slip of a lecture: the register's entry, as a note of the answer.
#pragma once

#include "hwdb/slip_file.hpp"
#include "models/core/gpu.hpp"
#include "models/core/result.hpp"

#include <span>
#include <string>
#include <vector>

namespace perfmodel::cli {

// "R. Giorgi, slide 25, prints: ... Right: ... Why: ... See 'perfmodel slips giorgi-3-blocks'."
std::string note_of(const hwdb::Slip& slip);

// Whether a row that the answer holds is one that the entry names. Rows of a sweep that are not held, in
// formats of data, are not looked at.
bool meets(const Result& result, std::span<const Gpu> gpus, const hwdb::SlipMet& met);

// A note for each slip that is met.
void note_slips(Result& result, std::span<const Gpu> gpus, const std::vector<hwdb::Slip>& slips);

} // namespace perfmodel::cli
