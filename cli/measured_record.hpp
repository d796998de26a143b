// What probes found, as it is written into a result file, and as it is told.
#pragma once

#include "hwdb/result_file.hpp"
#include "kernels/core/probe.hpp"

#include <string>

namespace perfmodel::cli {

Measurement measurement_of(kernels::ProbeResult result);

// "12 probes ran on NVIDIA H200 and found 31 facts; not to be used: issue."
std::string verdict_of(const Record& run);

// Its facts with their ranges; of a probe that found none, how many rows it has.
Result summary_of(const Record& run);

} // namespace perfmodel::cli
