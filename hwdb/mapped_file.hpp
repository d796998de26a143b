// A large file of bytes, of which the system reads what is looked at.
#pragma once

#include "models/kernel/device_memory.hpp"

#include <filesystem>

namespace perfmodel::hwdb {

// Throws InputError: it cannot be opened, or is no plain file.
MemoryFile map_file(const std::filesystem::path& file);

} // namespace perfmodel::hwdb
