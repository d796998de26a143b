// What Nsight Compute prints as CSV: `ncu --csv`, or `ncu --import FILE.ncu-rep --csv`. Two layouts, told
// apart by their header: a row for each metric of each launch (`--page details`), and a row for each launch
// with a second header row of units (`--page raw`). Columns are found by name.
#pragma once

#include "models/validation/profile.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::hwdb {

inline constexpr std::size_t most_profile_bytes = std::size_t{100} << 20;

// Whether a text is such a file, or what ncu prints in place of one.
bool is_profile(std::string_view text);

// The launches, with those counters that have a number. Lines of ncu's own ("==PROF== ...") and what the
// program printed before the header are skipped; so are columns and metrics that nobody here knows. `file`
// appears in messages. Throws InputError with file and line: no header, a column that is missing, a row of
// another length, a number that is none, no launch.
std::vector<ProfiledLaunch> parse_profile(std::string_view text, const std::string& file);

} // namespace perfmodel::hwdb
