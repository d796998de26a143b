// The pages of the documentation: README.md, CONTRIBUTING.md and everything below docs/.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace perfmodel::docs {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

inline const fs::path tree = PERFMODEL_SOURCE_DIR;
inline const fs::path pictures = tree / "docs" / "pictures";

inline std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Paths from the top of the tree, sorted.
inline std::vector<std::string> every_page() {
  std::vector<std::string> pages{"README.md", "CONTRIBUTING.md", "hwdb/README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(tree / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(fs::relative(entry.path(), tree).generic_string());
  std::sort(pages.begin(), pages.end());
  return pages;
}

// A page without what stands between ``` and ```.
inline Lines prose_of(const std::string& page) {
  Lines prose;
  bool code = false;
  for (std::string& line : lines_of(read(tree / page))) {
    if (line.rfind("```", 0) == 0)
      code = !code;
    else if (!code)
      prose.push_back(std::move(line));
  }
  return prose;
}

// The commands of the page's console blocks, without "$ ".
inline Lines commands_of(const std::string& page) {
  Lines commands;
  bool console = false;
  for (const std::string& line : lines_of(read(tree / page))) {
    if (line.rfind("```", 0) == 0)
      console = line.rfind("```console", 0) == 0;
    else if (console && line.rfind("$ ", 0) == 0)
      commands.push_back(line.substr(2));
  }
  return commands;
}

} // namespace perfmodel::docs
