#include "database_files.hpp"

#include "models/core/error.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace perfmodel::hwdb {

namespace fs = std::filesystem;

void refuse_unreadable(const fs::path& folder, const std::error_code& error) {
  if (error == std::errc::permission_denied) throw MachineError(folder.string() + ": " + error.message());
}

std::vector<fs::path> files_in(const fs::path& folder, const char* extension) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  refuse_unreadable(folder, failed);
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> stems_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::path& file : files_in(folder, ".yaml")) names.push_back(file.stem().string());
  return names;
}

std::vector<std::string> aliases_in(const std::string& text) {
  std::vector<std::string> words;
  std::size_t at = text.rfind("aliases:", 0) == 0 ? 0 : text.find("\naliases:");
  if (at == std::string::npos) return words;
  at = text.find('[', at);
  const std::size_t end = text.find(']', at);
  if (at == std::string::npos || end == std::string::npos) return words;
  std::string word;
  for (const char c : text.substr(at + 1, end - at))
    if (c != ',' && c != ']' && c != ' ' && c != '\n')
      word += c;
    else if (!word.empty())
      words.push_back(std::exchange(word, ""));
  return words;
}

bool is_path(const std::string& name) {
  const fs::path extension = fs::path(name).extension();
  return name.find('/') != std::string::npos || extension == ".yaml" || extension == ".yml";
}

std::string in_small_letters(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

} // namespace perfmodel::hwdb
