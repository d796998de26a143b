// Files in, files out. Reading refuses what is no text of a sensible size; writing is whole or not at all.
// InputError: what another name or another text would mend (missing, a folder, too large, binary).
// MachineError: what it would not (no permission, read-only, a full disk).
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace perfmodel::hwdb {

// More than anybody writes about one GPU.
inline constexpr std::size_t most_yaml = std::size_t{4} << 20;

// Throws InputError or MachineError in one sentence: missing, a folder, unreadable, larger than `most` bytes,
// binary.
std::string read_text(const std::filesystem::path& path, std::size_t most);

// Writes beside the file and renames, so that nobody ever sees half of it; mode, owner and group stay. Links
// are followed; a file of several names (hard links) is written in place, so that it stays one file; so is a
// device or a pipe. Throws InputError or MachineError when it cannot; then the old file stays.
void write_whole(const std::filesystem::path& path, std::string_view bytes);

// The same for what is too long to be held: `produce` hands the bytes over piece by piece. If it throws,
// nothing is left behind.
using Write = std::function<void(std::string_view piece)>;
void write_whole(const std::filesystem::path& path, const std::function<void(const Write&)>& produce);

} // namespace perfmodel::hwdb
