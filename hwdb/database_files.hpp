// What lies in a folder of a database, and what its files and users call it.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace perfmodel::hwdb {

// What is not there is an answer; what may not be read is none: throws MachineError.
void refuse_unreadable(const std::filesystem::path& folder, const std::error_code& error);

// In alphabetical order; none where there is no such folder. Throw MachineError: it may not be read.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, const char* extension);
std::vector<std::string> stems_in(const std::filesystem::path& folder); // of its YAML files

// The words of the line "aliases: [fermi, g100]" of a file, without parsing the text.
std::vector<std::string> aliases_in(const std::string& text);

// Whether a user means a file by it, and not a name: it has a '/' or ends in .yaml.
bool is_path(const std::string& name);
std::string in_small_letters(std::string name);

} // namespace perfmodel::hwdb
