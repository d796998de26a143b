// The program called in process, and what it said.
#pragma once

#include "cli/run.hpp"
#include "hwdb/database.hpp"
#include "models/core/model.hpp"
#include "tests/small_problem.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace perfmodel {

struct Answer {
  int code;
  std::string out, err;
};

inline Answer perfmodel(const std::vector<std::string>& arguments) {
  static const hwdb::Database shipped(hwdb::default_folder());
  std::ostringstream out, err;
  const int code = cli::run(arguments, out, err, {}, &shipped);
  return {code, out.str(), err.str()};
}

// "roofline --hw m2090" as arguments; no quoting.
inline std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

// The same of a command as people copy it; 'x + y' in quotes is one word.
inline std::vector<std::string> quoted_words(const std::string& line) {
  std::vector<std::string> all;
  bool quoted = false, open = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      open = false;
      continue;
    }
    if (!open) all.emplace_back();
    open = true;
    if (c != '\'') all.back() += c;
  }
  return all;
}

// A model asked about a GPU, or about none where it takes none.
inline std::vector<std::string> question(const Model& model, const std::string& gpus) {
  const std::string name(model.info.name);
  if (model.info.gpu == GpuUse::none) return {name};
  return {name, "--hw", gpus};
}
inline std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
// The same about a problem that few blocks do.
inline std::vector<std::string> small_question(const Model& model, const std::string& gpus) {
  std::vector<std::string> all = question(model, gpus);
  for (const auto& [option, text] : small_problem(model)) all = all + std::vector{"--" + option, text};
  return all;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline bool one_sentence(const std::string& text) {
  return text.size() > 20 && text.size() < 700 && text.back() == '\n' && text.find('\n') == text.size() - 1;
}

inline std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

// A folder of this test's own, gone afterwards.
class Scratch {
public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "perfmodel-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string operator/(const std::string& name) const { return (folder_ / name).string(); }
  std::string path() const { return folder_.string(); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

private:
  std::filesystem::path folder_;
};

} // namespace perfmodel
