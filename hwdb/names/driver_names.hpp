// What drivers call the GPUs of the database.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace perfmodel::hwdb {

// driver_names.yaml of a database, by the GPU's name there; none where there is no such file. Throws
// InputError.
std::map<std::string, std::vector<std::string>> driver_names(const std::filesystem::path& database);

} // namespace perfmodel::hwdb
