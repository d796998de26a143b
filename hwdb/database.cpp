#include "database.hpp"

#include "series_file.hpp"
#include "text_file.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace perfmodel::hwdb {

namespace fs = std::filesystem;

namespace {
constexpr std::size_t most_yaml = 1 << 20;

std::vector<fs::path> files_in(const fs::path& folder, const char* extension) {
  std::vector<fs::path> files;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> stems_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::path& file : files_in(folder, ".yaml")) names.push_back(file.stem().string());
  return names;
}

// The words of the line "aliases: [fermi, g100]", without parsing the file.
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

// Names are looked up in folders, so they must not walk out of them.
bool plain_name(const std::string& name) {
  return !name.empty() && name.size() <= 60 && name.front() != '.' &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '.' || c == '_'; });
}
} // namespace

fs::path default_folder() {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  const fs::path beside =
      self.parent_path().parent_path() / "share/perfmodel/hwdb"; // an installed tree that was moved
  if (!failed && fs::exists(beside / "gpus", failed)) return beside;
  if (fs::exists(fs::path(PERFMODEL_HWDB_SOURCE) / "gpus", failed)) return PERFMODEL_HWDB_SOURCE;
  return PERFMODEL_HWDB_INSTALLED;
}

Database::Database(fs::path root) : root_(std::move(root)) {
  std::error_code failed;
  if (!fs::is_directory(root_ / "gpus", failed) || !fs::is_directory(root_ / "architectures", failed))
    throw InputError(root_.string() +
                     " is no hardware database: it has no folders 'gpus' and 'architectures'");
  const fs::path sources = root_ / "sources.yaml";
  sources_ = parse_sources(read_text(sources, most_yaml), shown(sources));
}

std::string Database::shown(const fs::path& path) const {
  return (fs::path("hwdb") / path.lexically_relative(root_)).string();
}

std::vector<std::string> Database::names() const { return stems_in(root_ / "gpus"); }
std::vector<std::string> Database::architectures() const { return stems_in(root_ / "architectures"); }

std::optional<std::string> Database::name_of_alias(const std::string& alias) const {
  for (const fs::path& file : files_in(root_ / "gpus", ".yaml")) {
    const auto aliases = aliases_in(read_text(file, most_yaml));
    if (std::find(aliases.begin(), aliases.end(), alias) != aliases.end()) return file.stem().string();
  }
  return std::nullopt;
}

Gpu Database::gpu(const std::string& name) const {
  const bool is_path = name.find('/') != std::string::npos || fs::path(name).extension() == ".yaml" ||
                       fs::path(name).extension() == ".yml";
  if (is_path) return gpu_from(read_text(name, most_yaml), name);
  std::string folded = name;
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (plain_name(folded)) {
    std::error_code failed;
    fs::path file = root_ / "gpus" / (folded + ".yaml");
    if (!fs::exists(file, failed))
      if (const auto real = name_of_alias(folded)) file = root_ / "gpus" / (*real + ".yaml");
    if (fs::exists(file, failed)) return gpu_from(read_text(file, most_yaml), shown(file));
  }
  std::vector<std::string> known = names();
  for (const fs::path& file : files_in(root_ / "gpus", ".yaml"))
    for (std::string& alias : aliases_in(read_text(file, most_yaml))) known.push_back(std::move(alias));
  throw InputError(fmt::format("unknown GPU '{}'{}; 'perfmodel hw list' shows all", name.substr(0, 60),
                               suggestion(name, known)));
}

Gpu Database::gpu_from(const std::string& text, const std::string& file) const {
  Gpu device = parse_facts(text, file, FileKind::gpu, sources_);
  const auto known = architectures();
  if (std::find(known.begin(), known.end(), device.architecture) == known.end())
    throw InputError(fmt::format("{}: unknown architecture '{}'{}; one of {} is expected", file,
                                 device.architecture.substr(0, 60), suggestion(device.architecture, known),
                                 fmt::join(known, ", ")));
  const Gpu below = architecture(device.architecture);
  return resolve(std::move(device), below);
}

Gpu Database::architecture(const std::string& cc) const {
  const fs::path file = root_ / "architectures" / (cc + ".yaml");
  return parse_facts(read_text(file, most_yaml), shown(file), FileKind::architecture, sources_);
}

std::vector<Series> Database::published(const std::string& gpu) const {
  std::vector<Series> all;
  for (const fs::path& file : files_in(root_ / "published" / gpu, ".yaml"))
    for (Series& series : parse_series(read_text(file, most_yaml), shown(file), sources_))
      all.push_back(std::move(series));
  return all;
}

std::vector<fs::path> Database::measured_files(const std::string& gpu) const {
  return files_in(root_ / "measured" / gpu, ".json");
}

} // namespace perfmodel::hwdb
