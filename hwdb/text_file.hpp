// Files in, files out. Reading refuses what is no text of a sensible size; writing is whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace perfmodel::hwdb {

// Throws InputError in one sentence: missing, a folder, unreadable, larger than `most` bytes, binary.
std::string read_text(const std::filesystem::path& path, std::size_t most);

// Writes beside the file and renames, so that nobody ever sees half of it. Throws InputError when it cannot.
void write_whole(const std::filesystem::path& path, std::string_view bytes);

} // namespace perfmodel::hwdb
