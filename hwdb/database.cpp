#include "database.hpp"

#include "evidence_file.hpp"
#include "measured.hpp"
#include "series_file.hpp"
#include "text_file.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"
#include "models/machine/inherit.hpp"

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
  if (is_path) return gpu_of_path(name);
  std::string folded = name;
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (is_plain_name(folded)) {
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

// The database's own file keeps what was measured, whatever it is called; another file never gets it, though
// it lies in a folder that is called the same.
Gpu Database::gpu_of_path(const fs::path& path) const {
  const fs::path own = root_ / "gpus" / path.filename();
  std::error_code failed;
  std::string file = path.string();
  if (fs::equivalent(path, own, failed))
    file = shown(own);
  else if (file == shown(own))
    file = "./" + file;
  return gpu_from(read_text(path, most_yaml), file);
}

bool Database::is_own(const Gpu& gpu) const {
  return is_plain_name(gpu.name) && gpu.file == shown(root_ / "gpus" / (gpu.name + ".yaml"));
}

std::vector<Series> Database::published_about(const Gpu& gpu) const {
  return is_own(gpu) ? published(gpu.name) : std::vector<Series>{};
}

std::vector<fs::path> Database::runs_on(const Gpu& gpu) const {
  return is_own(gpu) ? measured_files(gpu.name) : std::vector<fs::path>{};
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

Gpu Database::completed(Gpu gpu) const {
  if (!donors_) {
    std::vector<Gpu> all;
    for (const std::string& name : names()) {
      Gpu donor = this->gpu(name);
      for (const fs::path& file : measured_files(name))
        donor = with_constants(std::move(donor), constants_of(run(file), file.filename().string()), false);
      all.push_back(std::move(donor));
    }
    donors_ = std::move(all);
  }
  return with_estimates(std::move(gpu), *donors_);
}

const Record& Database::run(const fs::path& file) const {
  auto known = runs_.find(file);
  if (known == runs_.end()) known = runs_.emplace(file, read_run(file)).first;
  return known->second;
}

std::vector<Series> Database::published(const std::string& gpu) const {
  std::vector<Series> all;
  for (const fs::path& file : files_in(root_ / "published" / gpu, ".yaml"))
    for (Series& series : parse_series(read_text(file, most_yaml), shown(file), sources_))
      all.push_back(std::move(series));
  return all;
}

EvidenceRecord Database::evidence() const {
  const fs::path file = root_ / "evidence.yaml";
  std::error_code failed;
  if (!fs::exists(file, failed)) return {};
  return parse_evidence(read_text(file, most_yaml), shown(file));
}

std::vector<fs::path> Database::measured_files(const std::string& gpu) const {
  return files_in(root_ / "measured" / gpu, ".json");
}

} // namespace perfmodel::hwdb
