// Published series: hwdb/published/<gpu>/<model>.yaml, values as lectures and papers print them.
#pragma once

#include "hwdb/fact_file.hpp"
#include "models/validation/series.hpp"

#include <string>
#include <vector>

namespace perfmodel::hwdb {

// The series of one file, one for each column that its rows compare. Throws InputError with file, line and
// key.
std::vector<Series> parse_series(const std::string& text, const std::string& file, const Sources& sources);

} // namespace perfmodel::hwdb
