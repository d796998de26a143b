#include "gpu_names.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace perfmodel::hwdb {

namespace {

// "[h100, hopper]" as words.
std::vector<std::string> listed(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '[' || c == ']' || c == ','; }, ' ');
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

} // namespace

std::vector<GpuNames> gpu_names(const std::filesystem::path& root) {
  constexpr std::string_view title = "title: ", aliases = "aliases: ";
  std::vector<GpuNames> all;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(root / "gpus", none)) {
    if (entry.path().extension() != ".yaml") continue;
    GpuNames& gpu = all.emplace_back();
    gpu.name = entry.path().stem().string();
    std::ifstream in(entry.path());
    bool titled = false, aliased = false;
    for (std::string line; !(titled && aliased) && std::getline(in, line);)
      if (line.rfind(title, 0) == 0)
        gpu.title = line.substr(title.size()), titled = true;
      else if (line.rfind(aliases, 0) == 0)
        gpu.aliases = listed(line.substr(aliases.size())), aliased = true;
  }
  std::sort(all.begin(), all.end(), [](const GpuNames& a, const GpuNames& b) { return a.name < b.name; });
  return all;
}

} // namespace perfmodel::hwdb
