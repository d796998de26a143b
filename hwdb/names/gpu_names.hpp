// What the GPUs of a database are called, for completion: at each press of a key, so no file is parsed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace perfmodel::hwdb {

struct GpuNames {
  std::string name, title;
  std::vector<std::string> aliases;
};

// Of each file in `root`/gpus, in alphabetical order, what its lines "title: ..." and "aliases: [...]" say.
// Of a file that cannot be read the name alone.
std::vector<GpuNames> gpu_names(const std::filesystem::path& root);

} // namespace perfmodel::hwdb
