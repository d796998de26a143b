// The file that `perfmodel capture` writes, as JSON: docs/reference/launches.schema.json describes it.
#pragma once

#include "models/kernel/captured_launches.hpp"

#include <filesystem>
#include <string>

namespace perfmodel::hwdb {

std::string launches_json(const CapturedLaunches& launches);

// `file` appears in messages. Throws InputError: no such file of ours, a member that is missing or of the
// wrong kind, a launch that cannot be. Members that are not known are skipped.
CapturedLaunches parse_launches(const std::string& text, const std::string& file);

// With the file beside it that holds contents of memory, kept under the name that `memory` then has; where it
// is not there, a note says so. Throws InputError or MachineError.
CapturedLaunches read_launches(const std::filesystem::path& file);

} // namespace perfmodel::hwdb
